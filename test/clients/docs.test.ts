import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey } from '../../src/db/keys.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { system } from '../system.ts'
import { type Collections, collect, deployCollections } from './collections.ts'
import { walkWithFetch } from './examples/walkWithFetch.ts'

const docs = readFileSync(join(import.meta.dirname, '../../docs/clients.md'), 'utf8')
const examples = join(import.meta.dirname, 'examples')

let anvil: Anvil
let server: TestServer
let collections: Collections

beforeAll(async () => {
  anvil = await startAnvil()
  collections = await deployCollections(anvil)
  server = await startTestServer({ rpc: [anvil.url] })
  await server.untilSynced(collections.tiles)
})
afterAll(async () => {
  await server?.close()
  await anvil?.stop()
})

test.each(readdirSync(examples))('default: docs/clients.md contains the tested example %s', (name) => {
  const [, code] = readFileSync(join(examples, name), 'utf8').split(/^(?=(?:\/\*\*|export|type) )/m, 2)
  expect(code!.length).toBeGreaterThan(50)
  expect(docs).toContain(code)
})

test('behavior: paging with fetch waits when the server limits the rate', system, async () => {
  const limited = { name: 'limited', access: 'read', requestsPerSecond: 2, burst: 1 } as const
  const { key } = await createKey(server.database.db, limited)
  const tokens = await collect(walkWithFetch(server.url, key, collections.tiles, 'local'))
  expect(new Set(tokens.map((token) => token.token_id)).size).toBe(236)
  await expect(collect(walkWithFetch(server.url, key, collections.tiles, 'nowhere'))).rejects.toThrow(/^chain is/)
})
