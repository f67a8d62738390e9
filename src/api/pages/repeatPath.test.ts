import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'
import { lastingHeaders } from '../../../test/lastingHeaders.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Address } from '../../util/hex.ts'
import type { ApiServer } from '../http/server.ts'

const address: Address = `0x${'ab'.repeat(20)}`
const path = `/api/v2/nft/${address}?chain=eth&limit=2`
let api: TestApi
let server: ApiServer

beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { maxBytes: 0 } } })
  await seedCollection(api.db, { address, tokens: [1n, 2n, 3n] })
  server = await api.api.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await server?.close()
  await api?.drop()
})

/** Returns the headers without those of the connection. */
function lasting(response: Response): Record<string, string> {
  const own = new Set(['connection', 'keep-alive', 'content-length', 'transfer-encoding'])
  return lastingHeaders([...response.headers].filter(([name]) => !own.has(name)))
}

test.each([
  ['a page', { 'x-api-key': adminKey }, 200],
  ['a page for a browser', { 'x-api-key': adminKey, origin: 'https://example.org' }, 200],
  ['a page by another header', { authorization: `Bearer ${adminKey.replaceAll(' ', '')}` }, 401],
  ['no key', {}, 401],
  ['a wrong key', { 'x-api-key': 'wrong' }, 401],
  ['an Accept that excludes JSON', { 'x-api-key': adminKey, accept: 'text/html' }, 406],
] as [string, Record<string, string>, number][])(
  'behavior: a repeated request gets the same answer by the fast path: %s',
  async (_, headers, status) => {
    // The first request stores the target for the fast path.
    await (await fetch(server.url + path, { headers: { 'x-api-key': adminKey } })).text()
    const again = await fetch(server.url + path, { headers: { 'accept-encoding': 'identity', ...headers } })
    const whole = await api.api.request(new Request(server.url + path, { headers }))
    expect(again.status).toBe(status)
    expect(whole.status).toBe(status)
    expect(lasting(again)).toEqual(lasting(whole))
    expect(await again.text()).toBe(await whole.text())
  },
)

test('behavior: an unchanged page is a 304, and HEAD has no body', async () => {
  const headers = { 'x-api-key': adminKey }
  const first = await fetch(server.url + path, { headers })
  await first.text()
  const unchanged = await fetch(server.url + path, {
    headers: { ...headers, 'if-none-match': first.headers.get('etag')! },
  })
  expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
  const head = await fetch(server.url + path, { method: 'HEAD', headers })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('behavior: a changed collection gives a new page', async () => {
  const headers = { 'x-api-key': adminKey }
  const page = async () =>
    ((await (await fetch(server.url + path, { headers })).json()) as { result: { owner_of: string }[] }).result
  const before = await page()
  await api.db.run(`UPDATE token SET owner = '\\x${'cd'.repeat(20)}'`)
  await api.db.run('UPDATE collection SET version = version + 1')
  await expect.poll(async () => (await page())[0]!.owner_of).toBe(`0x${'cd'.repeat(20)}`)
  expect(before[0]!.owner_of).not.toBe(`0x${'cd'.repeat(20)}`)
})
