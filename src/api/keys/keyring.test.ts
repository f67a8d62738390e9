import { setImmediate as tick } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { holdClock } from '../../../test/holdClock.ts'
import { createKey, revokeKey } from '../../db/keys.ts'
import { createKeyring } from './keyring.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const config = { apiKey: 'own', apiKeyRateLimit: null, rateLimit: { requestsPerSecond: 1_000, burst: 1_000 } }

test('behavior: a key stays cached for less than a second, so a revoked one is then looked up again', async () => {
  const clock = holdClock()
  const keyring = createKeyring({ db: database.db, config })
  const { id, key } = await createKey(database.db, { name: 'a', access: 'read' })
  const given = { apiKey: key, authorization: undefined }
  expect(keyring.known(given)).toBeUndefined()
  expect(await keyring.find(given, '127.0.0.1')).toMatchObject({ id, access: 'read' })
  await revokeKey(database.db, id)
  expect(keyring.known(given)).toMatchObject({ id })
  clock.advance(1_000)
  expect(keyring.known(given)).toBeUndefined()
  expect(await keyring.find(given, '127.0.0.1')).toBeUndefined()
})

test('behavior: a key in use is looked up again before it expires, so that no request waits for it, until it is revoked', async () => {
  const clock = holdClock()
  const keyring = createKeyring({ db: database.db, config })
  const { id, key } = await createKey(database.db, { name: 'b', access: 'read' })
  const given = { apiKey: key, authorization: undefined }
  await keyring.find(given, '127.0.0.1')
  for (const ms of [600, 250, 250]) {
    clock.advance(ms)
    expect(keyring.known(given)).toMatchObject({ id })
    // The lookup has begun. Past the end of the former one:
    await tick()
    clock.advance(350)
    await expect.poll(() => keyring.known(given)).toMatchObject({ id })
  }
  await revokeKey(database.db, id)
  clock.advance(250)
  expect(keyring.known(given)).toMatchObject({ id })
  await tick()
  clock.advance(350)
  expect(keyring.known(given)).toBeUndefined()
  expect(await keyring.find(given, '127.0.0.1')).toBeUndefined()
})

test('behavior: the configured API key is always known by either header, and similar keys are not', async () => {
  const keyring = createKeyring({ db: database.db, config })
  for (let i = 0; i < 3; i++) {
    expect(keyring.known({ apiKey: 'own', authorization: undefined })).toMatchObject({ id: 0n, access: 'admin' })
    expect(keyring.known({ apiKey: undefined, authorization: 'Bearer own' })).toMatchObject({ id: 0n })
    for (const apiKey of ['ow', 'own ', 'Own', 'ownn', ''])
      expect(keyring.known({ apiKey, authorization: undefined })).toBeUndefined()
  }
})

test('behavior: a configured API key beyond ASCII is known as UTF-8, as Latin-1 and from a path', () => {
  for (const apiKey of ['clé-à-moi', 'Русский', 'my key']) {
    const keyring = createKeyring({ db: database.db, config: { ...config, apiKey } })
    const sent = Buffer.from(apiKey).toString('latin1')
    expect(keyring.known({ apiKey: sent, authorization: undefined })).toMatchObject({ id: 0n })
    expect(keyring.known({ apiKey: undefined, authorization: `Bearer  ${sent} ` })).toMatchObject({ id: 0n })
  }
  const keyring = createKeyring({ db: database.db, config: { ...config, apiKey: 'schlüssel' } })
  const utf8 = Buffer.from('schlüssel').toString('latin1')
  for (const apiKey of ['schlüssel', utf8])
    expect(keyring.known({ apiKey, authorization: undefined })).toMatchObject({ id: 0n })
  expect(keyring.known({ apiKey: undefined, authorization: `Bearer ${utf8}` })).toMatchObject({ id: 0n })
  for (const apiKey of ['schlssel', 'schl\u{4efc}ssel'])
    expect(keyring.known({ apiKey, authorization: undefined })).toBeUndefined()
})
