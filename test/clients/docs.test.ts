import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey } from '../../src/db/keys.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { startTestServer, type TestServer, testApiKey } from '../mintmark.ts'
import { seedCoins, seededCoin } from '../seedCoins.ts'
import { type Collections, collect, deployCollections } from './collections.ts'
import { walkWithFetch } from './examples/walkWithFetch.ts'

const docs = readFileSync(join(import.meta.dirname, '../../docs/clients.md'), 'utf8')
const examples = join(import.meta.dirname, 'examples')
const commands = [...docs.matchAll(/```sh\n(.*?)```/gs)].map(([, command]) => command!)
const run = promisify(execFile)

let anvil: Anvil
let server: TestServer
let collections: Collections

beforeAll(async () => {
  anvil = await startAnvil()
  collections = await deployCollections(anvil)
  server = await startTestServer({
    rpc: [anvil.url],
    config: { aptos: { mainnet: { rest: 'http://127.0.0.1:1' } } },
  })
  await server.untilSynced(collections.tiles)
  await seedCoins(server.database.db, { coins: [seededCoin(1)], from: 0n, to: 10n })
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
})

test.each(readdirSync(examples))('default: docs/clients.md shows %s as it is tested', (name) => {
  const [, code] = readFileSync(join(examples, name), 'utf8').split(/^(?=(?:\/\*\*|export|type) )/m, 2)
  expect(code!.length).toBeGreaterThan(50)
  expect(docs).toContain(code)
})

test.for(commands)('default: docs/clients.md runs: %s', async (command, { skip }) => {
  if (spawnSync('curl', ['--version']).error) skip('curl is not installed')
  const given = `MINTMARK=${server.url} KEY=${testApiKey} CONTRACT=${collections.tiles}`
  const failing = `curl() { command curl --fail-with-body --noproxy '*' "$@"; }`
  // The webhook of the example goes to loopback, which this server refuses: its stream is made, and paused.
  const { stdout } = await run('sh', ['-ec', `${given}\n${failing}\n${command}`])
  expect(JSON.parse(stdout)).toBeTypeOf('object')
})

test('behavior: the walk with fetch waits where the server asks for it', async () => {
  const limited = { name: 'limited', access: 'read', requestsPerSecond: 2, burst: 1 } as const
  const { key } = await createKey(server.database.db, limited)
  const tokens = await collect(walkWithFetch(server.url, key, collections.tiles, 'local'))
  expect(new Set(tokens.map((token) => token.token_id)).size).toBe(236)
  await expect(collect(walkWithFetch(server.url, key, collections.tiles, 'nowhere'))).rejects.toThrow(/^chain is/)
})
