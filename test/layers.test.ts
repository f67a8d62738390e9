import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'mintmark-layers-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Allowed imports, as [file, import]: samples of `lint/layers.ts` for every layer. */
const allowed: [string, string][] = [
  ['src/util/urls/b.ts', '../errors.ts'],
  ['src/util/urls/a.ts', '../hex.ts'],
  ['src/db/migrations/a.ts', '../../util/hex.ts'],
  ['src/net/guard/a.ts', '../../util/log.ts'],
  ['src/net/guard/b.ts', '../client.ts'],
  ['src/chain/evm/rpc/a.ts', '../../../metrics/metrics.ts'],
  ['src/chain/evm/source/a.ts', '../rpc/rpc.ts'],
  ['src/sync/a.ts', '../db/database.ts'],
  ['src/sync/b.ts', '../chain/evm/source/source.ts'],
  ['src/nft/index/a.ts', '../../sync/converge.ts'],
  ['src/nft/metadata/a.ts', './uri/resolveUri.ts'],
  ['src/nft/store/a.ts', './storeTransfers.ts'],
  ['src/coin/a.ts', '../chain/aptos/source.ts'],
  ['src/stream/a.ts', 'node:stream/promises'],
  ['src/stream/follow/a.ts', '../match/match.ts'],
  ['src/api/a.ts', '../nft/query.ts'],
  ['src/api/routes/a.ts', '../nft/pages.ts'],
  ['src/api/routes/b.ts', '../../coin/query.ts'],
  ['src/api/http/a.ts', '../../db/database.ts'],
  ['src/cli/commands/a.ts', '../../nft/store/createDemand.ts'],
  ['src/service.ts', './chain/evm/source/source.ts'],
  ['src/service/a.ts', '../nft/store/createDemand.ts'],
  ['src/nft/index/a.test.ts', '../../../test/database.ts'],
]

const rejected: [string, string][] = [
  ['src/util/x.ts', '../db/database.ts'],
  ['src/util/faults/x.ts', '../../config/config.ts'],
  ['src/util/y.ts', '../config/config.ts'],
  ['src/metrics/x.ts', '../chain/evm/rpc/rpc.ts'],
  ['src/db/x.ts', '../net/client.ts'],
  ['src/db/migrations/x.ts', '../../chain/evm/rpc/rpc.ts'],
  ['src/net/x.ts', '../db/database.ts'],
  ['src/net/y.ts', './guard/createGuardedGet.ts'],
  ['src/chain/evm/x.ts', '../../db/database.ts'],
  ['src/chain/evm/rpc/x.ts', '../source/source.ts'],
  ['src/chain/evm/source/x.ts', '../contracts/multicall.ts'],
  ['src/chain/evm/source/y.ts', '../../../net/client.ts'],
  ['src/chain/aptos/x.ts', '../evm/chains.ts'],
  ['src/sync/x.ts', '../nft/query.ts'],
  ['src/sync/y.ts', '../service.ts'],
  ['src/sync/z.ts', '../service/startSync.ts'],
  ['src/nft/x.ts', './store/storeTransfers.ts'],
  ['src/nft/transfers/x.ts', '../store/storeTransfers.ts'],
  ['src/nft/metadata/uri/x.ts', '../document/parseDocument.ts'],
  ['src/nft/metadata/parse/x.ts', '../../../db/database.ts'],
  ['src/nft/metadata/x.ts', '../../stream/delivery/startDelivery.ts'],
  ['src/nft/pages/x.ts', '../index/followCollections.ts'],
  ['src/nft/y.ts', '../coin/query.ts'],
  ['src/nft/z.ts', '../api/http/app.ts'],
  ['src/coin/x.ts', '../nft/query.ts'],
  ['src/stream/x.ts', '../coin/query.ts'],
  ['src/stream/y.ts', '../config/loadConfig.ts'],
  ['src/stream/match/x.ts', '../follow/matchBlocks.ts'],
  ['src/stream/sign/x.ts', '../ledger/streamState.ts'],
  ['src/api/x.ts', '../chain/evm/chains.ts'],
  ['src/api/y.ts', '../sync/converge.ts'],
  ['src/api/z.ts', '../config/config.ts'],
  ['src/api/w.ts', '../db/migrate.ts'],
  ['src/api/v.ts', '../nft/pages/createNftQuery.ts'],
  ['src/api/u.ts', '../service/startSync.ts'],
  ['src/api/http/x.ts', '../routes/nft.ts'],
  ['src/api/routes/x.ts', '../../chain/evm/chains.ts'],
  ['src/api/routes/y.ts', '../../nft/pages/record.ts'],
  ['src/api/routes/z.ts', '../../net/client.ts'],
  ['src/cli/x.ts', '../../test/anvil.ts'],
  ['src/cli/commands/x.ts', '../../../bench/run.ts'],
  ['src/service/x.ts', '../../bench/run.ts'],
  ['src/service.ts', '../bench/run.ts'],
]

/** Violated rules, by `file:line`. */
let faults: Map<string, string[]>
const lines = new Map<string, string[]>()

/** Appends a line to a file of the folder and returns its place. */
function put(file: string, line: string): string {
  const text = lines.get(file) ?? []
  lines.set(file, [...text, line])
  return `${file}:${text.length + 1}`
}

const allowedAt = allowed.map(([file, from], i) => put(file, `import * as allowed${i} from '${from}'`))
const rejectedAt = rejected.map(([file, from], i) => put(file, `import * as refused${i} from '${from}'`))
const cycle = put('src/nft/cycleA.ts', `import { b } from './cycleB.ts'`)
put('src/nft/cycleA.ts', 'export const a = () => b')
put('src/nft/cycleB.ts', `import { a } from './cycleA.ts'`)
put('src/nft/cycleB.ts', 'export const b = () => a')
const typeCycle = put('src/nft/cycleC.ts', `import type { D } from './cycleD.ts'`)
put('src/nft/cycleC.ts', 'export type C = { d: D } | null')
put('src/nft/cycleD.ts', `import type { C } from './cycleC.ts'`)
put('src/nft/cycleD.ts', 'export type D = { c: C }')
const others: [string, string][] = [
  [cycle, 'noImportCycles'],
  [typeCycle, 'noImportCycles'],
  [put('src/nft/loud.ts', `console.log('loud')`), 'noConsole'],
  [put('src/nft/loud.ts', 'export default 1'), 'noDefaultExport'],
  [put('src/nft/secret.ts', 'export const home = process.env.HOME'), 'noProcessEnv'],
  [
    put('src/nft/long.ts', Array.from({ length: 301 }, (_, i) => `export const a${i} = ${i}`).join('\n')),
    'noExcessiveLinesPerFile',
  ],
]

/** Lists that are spread into arguments. The linter reports a rule of the folder lint/ as `plugin`. */
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
  // Biome exits with 1 because it reports problems.
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

test('default: imports that the table of modules allows pass lint', () => {
  for (const at of allowedAt) expect(faults.get(at) ?? [], at).not.toContain('noRestrictedImports')
})

test.each(rejected.map(([file, from], i) => [file, from, rejectedAt[i]!]))(
  'error: %s may not import %s',
  (_, __, at) => {
    expect(faults.get(at) ?? []).toContain('noRestrictedImports')
  },
)

test.each(others)('error: %s violates %s', (at, rule) => {
  expect(faults.get(at) ?? []).toContain(rule)
})

test.each(spread)('error: lint rejects spreading a list into arguments (%s, %s)', (at) => {
  expect(faults.get(at) ?? []).toContain('plugin')
})

test.each(gathered)('default: lint allows lists that are not spread, and allows spreading in tests (%s, %s)', (at) => {
  expect(faults.get(at) ?? []).not.toContain('plugin')
})
