import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'
import { DatabaseUnavailableError } from '../../db/databaseError.ts'
import { createKey, revokeKey } from '../../db/keys.ts'
import { createKeyring } from '../keys/keyring.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.drop())

/** Sends a request with a key or a token and returns the status and the body of the response. */
async function send(method: string, path: string, key?: string, body?: object) {
  const response = await api.api.request(
    new Request(`http://localhost${path}`, {
      method,
      headers: key === undefined ? {} : { 'x-api-key': key },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<'token' | 'access' | 'message', string>,
  }
}

const begin = async (key: string): Promise<string> => (await send('POST', '/session', key)).body.token
const statusOf = async (token: string) => (await send('GET', '/key', token)).status

test('default: a session has the access of its key until it is ended', async () => {
  const reader = await createKey(api.db, { name: 'reader', access: 'read' })
  for (const [key, access] of [
    [adminKey, 'admin'],
    [reader.key, 'read'],
  ] as const) {
    const { status, body } = await send('POST', '/session', key)
    expect({ status, access: body.access }).toEqual({ status: 200, access })
    expect((await send('GET', '/key', body.token)).body).toEqual({ access })
    expect((await send('GET', '/admin/keys', body.token)).status).toBe(access === 'admin' ? 200 : 403)
    const bearer = new Request('http://localhost/key', { headers: { authorization: `Bearer ${body.token}` } })
    expect((await api.api.request(bearer)).status).toBe(200)
    expect((await send('DELETE', '/session', body.token)).body).toEqual({ ended: true })
    const ended = await send('GET', '/key', body.token)
    expect({ status: ended.status, message: ended.body.message }).toEqual({
      status: 401,
      message: 'the session has ended; sign in again',
    })
  }
})

test('behavior: the session table contains neither keys nor tokens', async () => {
  const token = await begin(adminKey)
  const rows = await api.db.rows<[string]>('SELECT console_session::text FROM console_session')
  expect(rows.length).toBeGreaterThan(0)
  for (const [row] of rows) for (const secret of [token, adminKey]) expect(row).not.toContain(secret)
})

test('behavior: revoking a key ends its sessions', async () => {
  const { id, key } = await createKey(api.db, { name: 'gone', access: 'admin' })
  const token = await begin(key)
  expect(await statusOf(token)).toBe(200)
  await revokeKey(api.db, id)
  await expect.poll(() => statusOf(token)).toBe(401)
})

test('behavior: a session of the configured key is valid only in processes with the same key', async () => {
  const token = await begin(adminKey)
  const rateLimit = { requestsPerSecond: 1_000, burst: 1_000 }
  const find = (apiKey: string | null) =>
    createKeyring({ db: api.db, config: { apiKey, apiKeyRateLimit: null, rateLimit } }).find(
      { apiKey: token, authorization: undefined },
      '127.0.0.1',
    )
  expect(await find(adminKey)).toMatchObject({ id: 0n, access: 'admin', isSession: true })
  expect(await find('another key')).toBeUndefined()
  expect(await find(null)).toBeUndefined()
})

test.each([
  ['was not used for twelve hours', `used_at = now() - interval '12 hours'`],
  ['began thirty days ago', `begun_at = now() - interval '30 days'`],
])('behavior: a session that %s is expired, and the next new session removes its row', async (_, aged) => {
  const token = await begin(adminKey)
  await api.db.run(`UPDATE console_session SET ${aged}`)
  expect(await statusOf(token)).toBe(401)
  await begin(adminKey)
  expect(await api.db.rows('SELECT count(*)::int FROM console_session')).toEqual([[1]])
})

test('behavior: using a session extends it', async () => {
  const token = await begin(adminKey)
  await api.db.run(`UPDATE console_session SET used_at = now() - interval '11 hours'`)
  expect(await statusOf(token)).toBe(200)
  const recent = `SELECT count(*)::int FROM console_session WHERE used_at > now() - interval '1 minute'`
  await expect.poll(() => api.db.rows(recent)).toEqual([[1]])
})

test('behavior: a key has at most a hundred sessions, and a new one ends the oldest', async () => {
  await api.db.run('DELETE FROM console_session')
  const first = await begin(adminKey)
  for (let i = 0; i < 99; i++) await begin(adminKey)
  expect(await statusOf(first)).toBe(200)
  await begin(adminKey)
  await expect.poll(() => statusOf(first)).toBe(401)
})

test('default: a sign-in code begins one session, and the response is not cacheable', async () => {
  const code = api.api.signInCode()!
  const { status, body, headers } = await send('POST', '/session/code', undefined, { code })
  expect({ status, access: body.access }).toEqual({ status: 200, access: 'admin' })
  expect(headers.get('cache-control')).toBe('no-store')
  expect((await send('GET', '/admin/keys', body.token)).status).toBe(200)
  const again = await send('POST', '/session/code', undefined, { code })
  expect(again.status).toBe(401)
  expect(again.body.message).toContain('already used')
})

test('error: a code whose session could not be stored still works', async () => {
  let isUnreachable = true
  const own = await createTestApi({
    db: {
      ...api.db,
      async run(text, values) {
        if (isUnreachable) throw new DatabaseUnavailableError('the database is unreachable')
        return api.db.run(text, values)
      },
    },
  })
  await using _ = { [Symbol.asyncDispose]: own.drop }
  const body = JSON.stringify({ code: own.api.signInCode()! })
  const redeem = async () =>
    (await own.api.request(new Request('http://localhost/session/code', { method: 'POST', body }))).status
  expect(await redeem()).toBe(503)
  isUnreachable = false
  expect(await redeem()).toBe(200)
  expect(await redeem()).toBe(401)
})

test('behavior: of concurrent requests with one code only one gets a session', async () => {
  const body = { code: api.api.signInCode()! }
  const answers = await Promise.all(Array.from({ length: 20 }, () => send('POST', '/session/code', undefined, body)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('behavior: without a configured key there is no sign-in code, and a code of another process is rejected', async () => {
  const other = await createTestApi({ config: { apiKey: null } })
  await using _ = { [Symbol.asyncDispose]: other.drop }
  expect(other.api.signInCode()).toBeUndefined()
  const code = api.api.signInCode()!
  const request = new Request('http://localhost/session/code', { method: 'POST', body: JSON.stringify({ code }) })
  expect((await other.api.request(request)).status).toBe(401)
})

test('error: guessing codes gets 429 after a while', async () => {
  let answer = await send('POST', '/session/code', undefined, { code: 'guess 0' })
  for (let i = 1; answer.status === 401; i++) {
    expect(i).toBeLessThan(1_000)
    answer = await send('POST', '/session/code', undefined, { code: `guess ${i}` })
  }
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  // A valid code is never rejected.
  expect((await send('POST', '/session/code', undefined, { code: api.api.signInCode()! })).status).toBe(200)
})

test('error: a session cannot begin another session, and DELETE /session rejects a key', async () => {
  const token = await begin(adminKey)
  expect((await send('POST', '/session', token)).status).toBe(403)
  expect((await send('DELETE', '/session', adminKey)).status).toBe(400)
  for (const body of [{}, { code: 1 }, { code: 'x'.repeat(201) }])
    expect((await send('POST', '/session/code', undefined, body)).status, JSON.stringify(body)).toBe(400)
  expect((await send('POST', '/session', 'wrong')).status).toBe(401)
  // The route needs no key, so it accepts only short bodies.
  expect((await send('POST', '/session/code', undefined, { code: 'x'.repeat(2_000) })).status).toBe(413)
})
