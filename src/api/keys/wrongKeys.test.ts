import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { createKey } from '../../db/keys.ts'
import { createKeyring } from './keyring.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const config = { apiKey: null, apiKeyRateLimit: null, rateLimit: { requestsPerSecond: 1_000, burst: 1_000 } }

/** A keyring, and the statements that it sent. */
function countedKeyring() {
  const { db } = database
  let statements = 0
  const keyring = createKeyring({
    db: {
      ...db,
      rows(text, values) {
        statements++
        return db.rows(text, values)
      },
    },
    config,
  })
  return { keyring, statements: () => statements }
}

const given = (apiKey: string) => ({ apiKey, authorization: undefined })

test('behavior: a flood of wrong keys costs fewer than twenty database statements', async () => {
  const { keyring, statements } = countedKeyring()
  const found = await Promise.all(
    Array.from({ length: 2_000 }, (_, i) => keyring.find(given(`wrong-${i}`), '203.0.113.7')),
  )
  expect(new Set(found)).toEqual(new Set([undefined]))
  expect(statements()).toBeLessThan(20)
})

test('behavior: wrong keys are rate-limited by address, and valid keys from that address still work', async () => {
  const { keyring } = countedKeyring()
  const { id, key } = await createKey(database.db, { name: 'behind the same proxy', access: 'read' })
  const rejected = () => keyring.reject('198.51.100.1') !== undefined
  let allowed = 0
  while (!rejected()) allowed++
  expect(allowed).toBeGreaterThanOrEqual(10)
  expect(allowed).toBeLessThan(1_000)
  const flood = Array.from({ length: 500 }, (_, i) => keyring.find(given(`other-${i}`), '198.51.100.1'))
  expect(await keyring.find(given(key), '198.51.100.1')).toMatchObject({ id })
  expect(keyring.known(given(key))).toMatchObject({ id })
  await Promise.all(flood)
  // Other addresses are not limited; one IPv6 /64 counts as one address.
  expect(keyring.reject('198.51.100.2')).toBeUndefined()
  let requested = 0
  while (keyring.reject(`2001:db8:0:1::${requested.toString(16)}`) === undefined)
    expect(++requested).toBeLessThan(1_000)
  expect(keyring.reject('2001:db8:0:2::1')).toBeUndefined()
})
