import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { createKey, findKeys, hashKey, listKeys, revokeKey } from './keys.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('default: an API key is found by the hash of its text, and the text is not stored', async () => {
  const { db } = database
  const { id, key } = await createKey(db, { name: 'reader', access: 'read', requestsPerSecond: 2.5, burst: 7 })
  expect(key).toMatch(/^mm_[\w-]{43}$/)
  const found = await findKeys(db, [hashKey(key), hashKey(`${key} `)])
  expect([...found.keys()]).toEqual([hashKey(key).toString('hex')])
  expect([...found.values()][0]).toEqual({
    id,
    name: 'reader',
    access: 'read',
    requestsPerSecond: 2.5,
    burst: 7,
    createdAt: expect.any(Date),
    revokedAt: null,
    lastUsedAt: null,
  })
  const stored = await db.rows('SELECT k::text FROM api_key k')
  expect(JSON.stringify(stored)).not.toContain(key.slice(3))
})

test('behavior: a revoked key is listed but no longer found, and can be revoked only once', async () => {
  const { db } = database
  const { id, key } = await createKey(db, { name: 'gone', access: 'admin' })
  expect(await revokeKey(db, id)).toMatchObject({ id, name: 'gone', revokedAt: expect.any(Date) })
  expect(await revokeKey(db, id)).toBeUndefined()
  expect((await findKeys(db, [hashKey(key)])).size).toBe(0)
  const listed = (await listKeys(db)).find((one) => one.id === id)
  expect(listed).toMatchObject({ name: 'gone', access: 'admin', revokedAt: expect.any(Date) })
})

test('behavior: two keys with one name differ', async () => {
  const { db } = database
  const [a, b] = await Promise.all([1, 2].map(() => createKey(db, { name: 'same', access: 'read' })))
  expect(a!.key).not.toBe(b!.key)
  expect(a!.id).not.toBe(b!.id)
})
