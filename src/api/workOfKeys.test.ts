import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestApi, type TestApi } from '../../test/api.ts'
import { seedCollection } from '../../test/seedCollection.ts'
import { createKey } from '../db/keys.ts'
import { createMetrics } from '../metrics/metrics.ts'

const address = `0x${'6b'.repeat(20)}` as const

let api: TestApi
let keys: string[]
const metrics = createMetrics()
beforeAll(async () => {
  api = await createTestApi({ metrics })
  await seedCollection(api.db, { address, tokens: Array.from({ length: 20 }, (_, i) => BigInt(i)) })
  keys = await Promise.all(
    ['busy', 'other'].map(async (name) => (await createKey(api.db, { name, access: 'read' })).key),
  )
})
afterAll(() => api.drop())

const query = (key: string, path: string, body?: object) =>
  api.api.request(
    new Request(`http://localhost/api/v2/nft/${path}`, {
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    }),
  )

/** Delays every statement on tokens until the test releases them. */
async function holdTokens(): Promise<{ waiting(): Promise<number>; release(): Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = api.db.transaction(async (tx) => {
    await tx.run('LOCK TABLE token IN ACCESS EXCLUSIVE MODE')
    held.resolve()
    await promise
  })
  onTestFinished(async () => {
    resolve()
    await holding
  })
  await held.promise
  return {
    async waiting() {
      const [row] = await api.db.rows<[bigint]>(
        `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return Number(row![0])
    },
    async release() {
      resolve()
      await holding
    },
  }
}

test('behavior: while the requests of one key are slow, another key gets its cached page and starts its queries', async () => {
  const [busy, other] = keys as [string, string]
  const before = await query(other, address)
  expect(before.status).toBe(200)
  const tokens = { tokens: Array.from({ length: 20 }, (_, i) => ({ token_address: address, token_id: String(i) })) }
  const { waiting, release } = await holdTokens()
  const slow = Array.from({ length: 32 }, () => query(busy, 'getMultipleNFTs', tokens))
  // By estimate, five requests use the share of a key. The others wait without a database connection.
  await expect.poll(waiting).toBe(5)
  const cached = await query(other, address)
  expect([cached.status, await cached.text()]).toEqual([200, await before.text()])
  const uncached = query(other, `${address}?limit=3`)
  await expect.poll(waiting).toBe(6)
  await release()
  expect((await uncached).status).toBe(200)
  const answers = await Promise.all(slow)
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
})

/** Counted answers, of one status or of all. */
async function answered(status?: string): Promise<number> {
  const { values } = await metrics.requests.answered.get()
  const wanted = values.filter(({ labels }) => status === undefined || String(labels.status) === status)
  return wanted.reduce((sum, { value }) => sum + value, 0)
}

test('behavior: a request that waits for others of its key is not started once its client has closed the connection', async () => {
  const server = await api.api.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const arrived: IncomingMessage[] = []
  const onArrival = (message: unknown) => void arrived.push((message as { request: IncomingMessage }).request)
  subscribe('http.server.request.start', onArrival)
  onTestFinished(() => void unsubscribe('http.server.request.start', onArrival))
  const tokens = Array.from({ length: 20 }, (_, i) => ({ token_address: address, token_id: String(i) }))
  const send = (signal?: AbortSignal) =>
    fetch(`${server.url}/api/v2/nft/getMultipleNFTs`, {
      method: 'POST',
      headers: { 'x-api-key': keys[0]!, 'content-type': 'application/json' },
      body: JSON.stringify({ tokens }),
      ...(signal && { signal }),
    })
  const before = await answered()
  const { waiting, release } = await holdTokens()
  const first = send()
  await expect.poll(waiting).toBe(1)
  const client = new AbortController()
  // More than run at once.
  const all = Promise.allSettled(Array.from({ length: 100 }, () => send(client.signal)))
  await expect.poll(() => arrived.length).toBe(101)
  client.abort()
  await all
  await expect.poll(() => arrived.slice(1).every(({ socket }) => socket.destroyed)).toBe(true)
  await release()
  expect((await first).status).toBe(200)
  await expect.poll(async () => (await answered()) - before).toBe(101)
  expect(await answered('499')).toBeGreaterThan(0)
})
