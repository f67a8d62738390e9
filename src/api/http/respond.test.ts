import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { createKey } from '../../db/keys.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { noopLog } from '../../util/log.ts'
import { createKeyring } from '../keys/keyring.ts'
import { jsonAnswer } from './answer.ts'
import { createApp, operationsByPath } from './app.ts'
import { createCors } from './cors.ts'
import { createNegotiate } from './negotiate.ts'
import { createPacer } from './pacer.ts'
import { wholeNumber } from './parameters.ts'
import { createRespond } from './respond.ts'
import { defineRoute } from './route.ts'
import { createScheduler } from './scheduler.ts'
import { createRequestIds } from './wireRoutes.ts'

const route = defineRoute({
  method: 'PUT',
  path: '/things',
  operationId: 'putThings',
  summary: '',
  description: '',
  tag: '',
  access: 'admin',
  query: z.object({
    ids: z.array(wholeNumber({ description: '', min: 1, max: 9 })).max(3, 'has too many; allowed: at most 3'),
    needed: wholeNumber({ description: '', min: 1, max: 9 }),
  }),
  ok: { description: '' },
  handle: ({ query, exchange }) => jsonAnswer(200, { ...query, key: String(exchange.key?.id) }),
})

const long = { text: 'a'.repeat(2_000) }
const readRoute = (path: string, headers: string[]) =>
  defineRoute({
    ...({ method: 'GET', path, operationId: path.slice(1), summary: '', description: '', tag: '' } as const),
    ...({
      access: 'admin',
      ok: { description: '' },
    } as const),
    handle: () => jsonAnswer(200, long, headers),
  })

let database: TestDatabase
let read: (path: string, headers?: Record<string, string>) => Promise<Response>
let send: (query: string, key: string) => Promise<Response>
beforeAll(async () => {
  database = await createTestDatabase()
  const rateLimit = { requestsPerSecond: 100, burst: 100 }
  const respond = createRespond({
    keyring: createKeyring({ db: database.db, config: { apiKey: 'own', apiKeyRateLimit: null, rateLimit } }),
    cors: createCors({ origins: ['*'] }),
    negotiate: createNegotiate(),
    requestId: createRequestIds(),
    count: createMetrics().requests.count,
    scheduler: createScheduler(),
    pacer: createPacer(),
    log: noopLog,
    maxTargetLength: 1_000,
    maxBodyBytes: 1_000,
  })
  const reads = [readRoute('/tagged', []), readRoute('/validated', ['etag', '"1"', 'vary', 'Accept-Encoding'])]
  const app = createApp({ operations: operationsByPath([route, ...reads]), respond, log: noopLog })
  read = async (path, headers) =>
    app.fetch(new Request(`http://localhost${path}`, { headers: { 'x-api-key': 'own', ...headers } }))
  send = async (query, key) =>
    app.fetch(new Request(`http://localhost/things?${query}`, { method: 'PUT', headers: { 'x-api-key': key } }))
})
afterAll(() => database.drop())

test('default: an admin key may use admin routes, and a read key gets 403', async () => {
  const { key: reader } = await createKey(database.db, { name: 'reader', access: 'read' })
  const { id, key: admin } = await createKey(database.db, { name: 'admin', access: 'admin' })
  const rejected = await send('ids=1&needed=2', reader)
  expect(rejected.status).toBe(403)
  expect(await rejected.json()).toMatchObject({ statusCode: 403, message: expect.stringContaining('admin key') })
  expect(await (await send('ids=1&needed=2', admin)).json()).toEqual({ ids: [1], needed: 2, key: String(id) })
  expect(await (await send('ids=1&needed=2', 'own')).json()).toMatchObject({ key: '0' })
})

test('behavior: responses to a key and errors have Cache-Control: no-store', async () => {
  for (const key of ['own', 'a wrong one'])
    expect((await send('ids=1&needed=2', key)).headers.get('cache-control')).toBe('no-store')
  expect((await send('ids=1', 'own')).headers.get('cache-control')).toBe('no-store')
})

test.each(['/tagged', '/validated'])('behavior: %s is compressed, regardless of who sets its ETag', async (path) => {
  const plain = await read(path)
  expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'Accept-Encoding'])
  expect(await plain.json()).toEqual(long)
  const packed = await read(path, { 'accept-encoding': 'gzip' })
  expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding'])
  expect(JSON.parse(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString())).toEqual(long)
})

test('behavior: a 304 has the same Vary header as its 200', async () => {
  const etag = (await read('/tagged')).headers.get('etag')!
  const same = await read('/tagged', { 'if-none-match': etag })
  expect([same.status, same.headers.get('vary')]).toEqual([304, 'Accept-Encoding'])
})

test.each(['ids=1&ids=2', 'ids[]=1&ids[]=2', 'ids%5B%5D=1&ids%5B%5D=2', 'ids[0]=1&ids[1]=2', 'ids=1,2'])(
  'behavior: accepts a list as %s',
  async (query) => {
    expect(await (await send(`needed=1&${query}`, 'own')).json()).toMatchObject({ ids: [1, 2] })
  },
)

test.each([
  ['ids=1', 'needed is missing; allowed: a whole number from 1 to 9'],
  ['ids=1,x&needed=1', 'ids is "x"; allowed: a whole number from 1 to 9'],
  ['ids=1,2,3,4&needed=1', 'ids has too many; allowed: at most 3'],
  [
    'ids=0&needed=0',
    'ids is "0"; allowed: a whole number from 1 to 9. needed is "0"; allowed: a whole number from 1 to 9',
  ],
])('error: %s', async (query, message) => {
  const response = await send(query, 'own')
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ message })
})
