import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../../test/api.ts'
import { runCommand } from '../../../../test/commandLine.ts'
import { patience } from '../../../../test/patience.ts'
import { createKey } from '../../../db/keys.ts'

let t: TestApi
beforeAll(async () => {
  t = await createTestApi()
})
afterAll(() => t.drop())

type Listed = { id: string; lastUsedAt: string | null }
type Page = { result: Listed[]; total: number; cursor: string | null }
type Answer = { status: number; headers: Headers; body: Page & Record<string, unknown> }

async function send(method: string, path: string, body?: unknown, key: string | null = adminKey): Promise<Answer> {
  const response = await t.api.request(
    new Request(`http://localhost${path}`, {
      method,
      headers: key === null ? {} : { 'x-api-key': key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
}

test('default: a key is created, shown once, works, is listed without its text, and is revoked', async () => {
  const made = await send('POST', '/admin/keys', { name: 'shop', requestsPerSecond: 2.5, burst: 7 })
  expect(made.status).toBe(200)
  expect(made.headers.get('cache-control')).toBe('no-store')
  const { key, ...shown } = made.body
  expect(key).toMatch(/^mm_[\w-]{43}$/)
  expect(shown).toEqual({
    id: expect.stringMatching(/^\d+$/),
    name: 'shop',
    access: 'read',
    requestsPerSecond: 2.5,
    burst: 7,
    createdAt: expect.stringMatching(/Z$/),
    lastUsedAt: null,
    revokedAt: null,
  })
  const used = await send('GET', '/coins/latest', undefined, key as string)
  expect(used.headers.get('x-rate-limit-limit')).toBe('7')

  const find = async () => {
    const { body } = await send('GET', '/admin/keys')
    expect(JSON.stringify(body)).not.toContain((key as string).slice(3))
    return body.result.find(({ id }) => id === shown.id)
  }
  await vi.waitFor(
    async () => expect(await find()).toMatchObject({ lastUsedAt: expect.stringMatching(/Z$/) }),
    patience,
  )

  const revoked = await send('DELETE', `/admin/keys/${shown.id}`)
  expect(revoked).toMatchObject({ status: 200, body: { id: shown.id, revokedAt: expect.stringMatching(/Z$/) } })
  expect(revoked.body).not.toHaveProperty('key')
  expect((await send('DELETE', `/admin/keys/${shown.id}`)).status).toBe(404)
  await vi.waitFor(
    async () => expect((await send('GET', '/coins/latest', undefined, key as string)).status).toBe(401),
    patience,
  )
})

test('behavior: the key list pages by cursor, filters by status, and never contains the configured key', async () => {
  const own = await createTestApi()
  const ids: string[] = []
  for (let i = 0; i < 5; i++)
    ids.push(String((await createKey(own.db, { name: adminKey.slice(0, 3), access: 'read' })).id))
  const list = async (path: string) => (await own.get(path)).json() as Promise<Page>
  await own.api.request(
    new Request(`http://localhost/admin/keys/${ids[1]}`, { method: 'DELETE', headers: { 'x-api-key': adminKey } }),
  )
  const walk = async (query: string) => {
    const found: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Page = await list(`/admin/keys?limit=2&${query}&cursor=${cursor}`)
      found.push(...page.result.map(({ id }) => id))
      cursor = page.cursor
    }
    return found
  }
  expect(await walk('')).toEqual(ids)
  expect(await walk('status=active')).toEqual(ids.filter((_, i) => i !== 1))
  expect(await walk('status=revoked')).toEqual([ids[1]])
  expect(await list('/admin/keys?status=active')).toMatchObject({ total: 4, cursor: null })
  expect(JSON.stringify(await list('/admin/keys'))).not.toContain(adminKey)
  const first = await list('/admin/keys?limit=2&status=active')
  expect((await own.get(`/admin/keys?status=revoked&cursor=${first.cursor}`)).status).toBe(400)
  await own.drop()
})

test.each([
  [{}, 'name is missing; allowed: text of 1 to 200 characters'],
  [{ name: '' }, 'name is empty; allowed: text of 1 to 200 characters'],
  [{ name: ' ' }, 'name has no visible character; allowed: text with at least one'],
  [{ name: '\u200b\u202e\u001b \t' }, 'name has no visible character; allowed: text with at least one'],
  [{ name: 'x'.repeat(201) }, 'name has 201 characters; allowed: at most 200'],
  [{ name: 'a\0b' }, 'name contains U+0000, which cannot be stored; allowed: text without it'],
  [{ name: 'x', access: 'write' }, 'access is "write"; allowed: read or admin'],
  [{ name: 'x', requestsPerSecond: 0 }, 'requestsPerSecond is 0; allowed: a number above 0, to 1000000'],
  [{ name: 'x', burst: 1.5 }, 'burst is 1.5; allowed: a whole number from 1 to 10000000'],
  [{ name: 'x', burst: 10_000_001 }, 'burst is 10000001; allowed: a whole number from 1 to 10000000'],
])('error: rejects creating a key with %j', async (body, message) => {
  expect(await send('POST', '/admin/keys', body)).toMatchObject({ status: 400, body: { message } })
})

test('behavior: a key can revoke itself, and control characters in key names are not printed', async () => {
  const name = 'shop\u001b[2J\u009b1A\u202e\nadmin'
  const { body } = await send('POST', '/admin/keys', { name, access: 'admin' })
  expect(body.name).toBe(name)
  const { out } = await runCommand(['keys', 'list', '--database-url', t.url])
  expect(out).toMatch(/ {2}shop\[2J1A admin\n/)
  const own = `/admin/keys/${body.id}`
  expect(await send('DELETE', own, undefined, body.key as string)).toMatchObject({ status: 200, body: { name } })
  await vi.waitFor(
    async () => expect((await send('DELETE', own, undefined, body.key as string)).status).toBe(401),
    patience,
  )
  const blank = await runCommand(['keys', 'create', ' ', '--database-url', t.url])
  expect(blank).toMatchObject({ code: 2, out: '', err: expect.stringContaining('at least one visible character') })
})

test('error: revoking an unknown key gets 404, and an id that is not a number gets 400', async () => {
  const unknown = { status: 404, body: { message: 'there is no active key 999999' } }
  expect(await send('DELETE', '/admin/keys/999999')).toMatchObject(unknown)
  expect(await send('DELETE', '/admin/keys/0')).toMatchObject({ status: 404 })
  for (const id of ['-1', 'x', '1e3', '9'.repeat(19)])
    expect(await send('DELETE', `/admin/keys/${id}`)).toMatchObject({ status: 400 })
})

test('behavior: an unchanged key list is a 304, and any change gives it another ETag', async () => {
  const list = (tag?: string) => t.get('/admin/keys', tag === undefined ? {} : { 'if-none-match': tag })
  const tag = (await list()).headers.get('etag')!
  const again = await list(tag)
  expect([again.status, await again.text(), again.headers.get('cache-control')]).toEqual([304, '', 'no-store'])
  await createKey(t.db, { name: 'another', access: 'read' })
  const changed = await list(tag)
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(tag)
})

test('behavior: GET /key returns the access of the key', async () => {
  const { key } = await createKey(t.db, { name: 'reader', access: 'read' })
  expect((await send('GET', '/key', undefined, key)).body).toEqual({ access: 'read' })
  expect((await send('GET', '/key')).body).toEqual({ access: 'admin' })
  expect((await send('GET', '/key', undefined, null)).status).toBe(401)
})
