import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'mintmark-floors-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Where each floor may import from, as [file, import]: the style's table, line by line. */
const allowed: [string, string][] = [
  ['src/util/a.ts', '../errors.ts'],
  ['src/db/migrations/a.ts', '../../util/hex.ts'],
  ['src/net/a.ts', '../log.ts'],
  ['src/chain/evm/a.ts', '../../metrics.ts'],
  ['src/sync/a.ts', '../db/database.ts'],
  ['src/sync/b.ts', '../chain/evm/source.ts'],
  ['src/sync/c.ts', '../net/guarded.ts'],
  ['src/nft/a.ts', '../sync/converge.ts'],
  ['src/coin/a.ts', '../chain/aptos/source.ts'],
  ['src/stream/a.ts', 'node:stream/promises'],
  ['src/api/a.ts', '../nft/query.ts'],
  ['src/api/b.ts', '../coin/store.ts'],
  ['src/api/c.ts', './nft/page.ts'],
  ['src/api/routes/a.ts', '../nft/page.ts'],
  ['src/api/routes/b.ts', '../../nft/demand.ts'],
  ['src/api/routes/c.ts', '../../db/database.ts'],
  ['src/cli/a.ts', '../nft/createDemand.ts'],
  ['src/service.ts', './chain/evm/source.ts'],
  ['src/service/a.ts', '../nft/createDemand.ts'],
  ['src/nft/a.test.ts', '../../test/database.ts'],
]

const refused: [string, string][] = [
  ['src/util/x.ts', '../db/database.ts'],
  ['src/errors.ts', './config.ts'],
  ['src/metrics.ts', './chain/evm/rpc.ts'],
  ['src/db/x.ts', '../net/guarded.ts'],
  ['src/db/migrations/x.ts', '../../chain/evm/rpc.ts'],
  ['src/net/x.ts', '../db/database.ts'],
  ['src/chain/evm/x.ts', '../../db/database.ts'],
  ['src/chain/evm/y.ts', '../../net/guarded.ts'],
  ['src/chain/x.ts', '../sync/converge.ts'],
  ['src/chain/y.ts', '../config.ts'],
  ['src/sync/x.ts', '../nft/query.ts'],
  ['src/sync/y.ts', '../service.ts'],
  ['src/sync/z.ts', '../service/startSync.ts'],
  ['src/api/u.ts', '../service/startSync.ts'],
  ['src/service/x.ts', '../../bench/run.ts'],
  ['src/nft/x.ts', '../coin/query.ts'],
  ['src/nft/metadata/x.ts', '../../stream/deliver.ts'],
  ['src/nft/y.ts', '../api/app.ts'],
  ['src/coin/x.ts', '../nft/query.ts'],
  ['src/stream/x.ts', '../coin/query.ts'],
  ['src/stream/y.ts', '../loadConfig.ts'],
  ['src/sync/y.ts', '../resolveChains.ts'],
  ['src/api/x.ts', '../chain/evm/chains.ts'],
  ['src/api/y.ts', '../sync/converge.ts'],
  ['src/api/z.ts', '../config.ts'],
  ['src/api/w.ts', '../db/migrate.ts'],
  ['src/api/v.ts', '../nft/createNftQuery.ts'],
  ['src/api/routes/x.ts', '../../chain/evm/chains.ts'],
  ['src/api/routes/y.ts', '../../nft/record.ts'],
  ['src/api/routes/z.ts', '../../net/guarded.ts'],
  ['src/cli/x.ts', '../../test/anvil.ts'],
  ['src/service.ts', '../bench/run.ts'],
]

/** Rules broken, by `file:line`. */
let faults: Map<string, string[]>
const lines = new Map<string, string[]>()

/** Appends a line to a file of the folder and answers where it stands. */
function put(file: string, line: string): string {
  const text = lines.get(file) ?? []
  lines.set(file, [...text, line])
  return `${file}:${text.length + 1}`
}

const allowedAt = allowed.map(([file, from], i) => put(file, `import * as allowed${i} from '${from}'`))
const refusedAt = refused.map(([file, from], i) => put(file, `import * as refused${i} from '${from}'`))
const cycle = put('src/nft/cycleA.ts', `import { b } from './cycleB.ts'`)
put('src/nft/cycleA.ts', 'export const a = () => b')
put('src/nft/cycleB.ts', `import { a } from './cycleA.ts'`)
put('src/nft/cycleB.ts', 'export const b = () => a')
const others: [string, string][] = [
  [cycle, 'noImportCycles'],
  [put('src/nft/loud.ts', `console.log('loud')`), 'noConsole'],
  [put('src/nft/loud.ts', 'export default 1'), 'noDefaultExport'],
  [put('src/nft/secret.ts', 'export const home = process.env.HOME'), 'noProcessEnv'],
  [
    put('src/nft/long.ts', Array.from({ length: 301 }, (_, i) => `export const a${i} = ${i}`).join('\n')),
    'noExcessiveLinesPerFile',
  ],
]

/** Lists that become arguments; `plugin` is what the linter calls a rule of the folder lint/. */
const spread = [
  'list.push(...list)',
  'list.unshift(0, ...list.map((x) => x))',
  'Math.max(...list)',
  'String.fromCharCode(...list)',
  'new Set(...list)',
  'if (list) many(one(...list))',
  'list?.push(...list)',
  'list.push.apply(list, list)',
  'list.concat.apply(list, list)',
  'Reflect.apply(many, null, list)',
].map((line) => [put('src/nft/spread.ts', line), line] as const)
const gathered = ['many([...list])', 'many({ all: [...list], ...list })', 'handler.apply(list)', 'one(...list)'].map(
  (line, i) => [put(i < 3 ? 'src/nft/gathered.ts' : 'src/nft/gathered.test.ts', line), line] as const,
)

beforeAll(async () => {
  for (const name of ['biome.json', '.gitignore']) copyFileSync(join(root, name), join(folder, name))
  cpSync(join(root, 'lint'), join(folder, 'lint'), { recursive: true })
  for (const [file, text] of lines) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${text.join('\n')}\n`)
  }
  faults = await lint()
})

async function lint(): Promise<Map<string, string[]>> {
  const biome = join(root, 'node_modules/.bin/biome')
  // It ends with 1, as there is something to report.
  const output = await new Promise<string>((done) =>
    execFile(biome, ['lint', '--reporter=json', '--max-diagnostics=none', '.'], { cwd: folder }, (_, out) => done(out)),
  )
  const found = new Map<string, string[]>()
  for (const { category, location } of JSON.parse(output).diagnostics) {
    const at = `${location.path}:${location.start.line}`
    found.set(at, [...(found.get(at) ?? []), category.split('/').at(-1)])
  }
  return found
}

test('default: what the table of floors allows passes', () => {
  for (const at of allowedAt) expect(faults.get(at) ?? [], at).not.toContain('noRestrictedImports')
})

test.each(refused.map(([file, from], i) => [file, from, refusedAt[i]!]))('error: %s may not import %s', (_, __, at) => {
  expect(faults.get(at) ?? []).toContain('noRestrictedImports')
})

test.each(others)('error: %s breaks %s', (at, rule) => {
  expect(faults.get(at) ?? []).toContain(rule)
})

test.each(spread)('error: a list becomes arguments (%s, %s)', (at) => {
  expect(faults.get(at) ?? []).toContain('plugin')
})

test.each(gathered)('default: a list that stays one passes, and so do tests (%s, %s)', (at) => {
  expect(faults.get(at) ?? []).not.toContain('plugin')
})
