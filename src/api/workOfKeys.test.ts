import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestApi, type TestApi } from '../../test/api.ts'
import { seedCollection } from '../../test/seedCollection.ts'
import { createKey } from '../db/keys.ts'

const address = `0x${'6b'.repeat(20)}` as const

let api: TestApi
let keys: string[]
beforeAll(async () => {
  api = await createTestApi()
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
