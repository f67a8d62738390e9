import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../../test/api.ts'

let t: TestApi
beforeAll(async () => {
  t = await createTestApi({
    config: { chains: { local: { id: '0x7a69', rpc: ['http://127.0.0.1:1'] } }, rateLimit: { burst: 10_000 } },
  })
})
afterAll(() => t.drop())

type Answer = {
  status: number
  body: { headers: object; webhookSecret: string; message: string } & Record<string, unknown>
}

async function send(method: string, path: string, body?: unknown): Promise<Answer> {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  const headers = { 'x-api-key': adminKey, 'content-type': 'application/json' }
  const request = new Request(`http://localhost${path}`, { method, headers, ...(text !== undefined && { body: text }) })
  const response = await t.api.request(request)
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

const minimal = { webhookUrl: 'https://receiver.example/hook', description: 'd', tag: 't', chainIds: ['0x7a69'] }
const create = async (more: object = {}) => (await send('PUT', '/streams/evm', { ...minimal, ...more })).body

test('default: stream headers are shown by name only, and updates keep, change or remove them', async () => {
  const headers = { Authorization: 'Bearer of-good-news', 'X-Api-Key': 'k3y' }
  const { id, ...made } = await create({ headers })
  expect(made.headers).toEqual({ authorization: null, 'x-api-key': null })
  const path = `/streams/evm/${id}`
  const shown = [await send('POST', path, { tag: 'u' }), await send('GET', path), await send('GET', '/streams/evm')]
  expect(shown[0]!.body.headers).toEqual(made.headers)
  // A returned value may be sent back unchanged.
  expect((await send('POST', path, shown[1]!.body)).body.headers).toEqual(made.headers)
  expect((await send('POST', path, { headers: { 'x-api-key': null } })).body.headers).toEqual({ 'x-api-key': null })
  expect((await send('POST', path, { headers: {} })).body.headers).toEqual({})
  expect(JSON.stringify(shown)).not.toMatch(/good-news|k3y/)
})

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 9).toString('base64')}`
const hundred = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${String(i).padStart(2, '0')}`, value]))

test.each<[string, Record<string, string | null>]>([
  ...['Connection', 'keep-alive', 'TE', 'Trailer', 'transfer-encoding', 'Upgrade', 'http2-settings'].map(
    (name): [string, Record<string, string>] => [`${name}, which is hop-by-hop,`, { [name]: 'my-secret' }],
  ),
  ...['Host', 'Content-Type', 'content-length', 'Content-Anything', 'Expect', 'Proxy-Authorization'].map(
    (name): [string, Record<string, string>] => [name, { [name]: 'my-secret' }],
  ),
  ...['webhook-id', 'Webhook-Signature', 'webhook-mine', 'X-Signature'].map(
    (name): [string, Record<string, string>] => [name, { [name]: 'my-secret' }],
  ),
  ['a name with a blank', { 'x y': 'my-secret' }],
  ['a value at the place of the name', { 'my-secret: x': 'y' }],
  ['no name', { '': 'my-secret' }],
  ['a name twice', { 'X-A': 'my-secret', 'x-a': 'my-secret' }],
  ['a line break', { 'x-a': 'my-secret\r\nx-b: c' }],
  ['a tab', { 'x-a': 'my\tmy-secret' }],
  ['a control character', { 'x-a': 'my-secret\u007f' }],
  ['what is no ASCII', { 'x-a': 'my-secret ü' }],
  ['blanks around', { 'x-a': ' my-secret' }],
  ['an empty value', { 'x-a': '' }],
  ['null for a value that is not there', { 'x-a': null }],
  ['null for what every object has', { constructor: null }],
  ['21 of them', hundred(21, 'my-secret')],
  ['more than 8 kB', hundred(2, `my-secret${'x'.repeat(4_090)}`)],
])('error: rejects %s as a header, without repeating its value', async (_, headers) => {
  const answer = await send('PUT', '/streams/evm', { ...minimal, headers })
  expect(answer).toMatchObject({ status: 400, body: { details: { parameter: 'headers' } } })
  expect(answer.body.message).toMatch(/^headers.*allowed/)
  expect(JSON.stringify(answer)).not.toContain('my-secret')
})

test('behavior: accepts 20 headers of 8 kB in total, and tolerates a header named __proto__', async () => {
  const full = { ...hundred(19, 'x'.repeat(420)), authorization: 'y'.repeat(8_192 - 19 * 424 - 13) }
  expect(Object.keys((await create({ headers: full })).headers)).toHaveLength(20)
  const odd = (await send('PUT', '/streams/evm', `{"headers":{"__proto__":"x"},${JSON.stringify(minimal).slice(1)}`))
    .body
  expect([[], ['__proto__']]).toContainEqual(Object.keys(odd.headers))
})

test('default: a webhook secret of 24 to 64 bytes can be set', async () => {
  for (const bytes of [24, 25, 26, 64])
    expect((await create({ webhookSecret: secretOf(bytes) })).webhookSecret).toBe(secretOf(bytes))
  const { id } = await create()
  const path = `/streams/evm/${id}`
  expect((await send('POST', path, { webhookSecret: secretOf(32) })).body.webhookSecret).toBe(secretOf(32))
  expect((await send('POST', path, { tag: 'u' })).body.webhookSecret).toBe(secretOf(32))
  const wrong = [secretOf(23), secretOf(65), secretOf(24).slice(6), `${secretOf(24)} `, secretOf(25).replace(/=+$/, '')]
  for (const webhookSecret of [...wrong, secretOf(24).replaceAll('C', '-'), 'whsec_', '']) {
    const answer = await send('PUT', '/streams/evm', { ...minimal, webhookSecret })
    expect(answer).toMatchObject({ status: 400, body: { details: { parameter: 'webhookSecret' } } })
    expect(answer.body.message).toMatch(/24 to 64 bytes/)
    if (webhookSecret.length > 6) expect(JSON.stringify(answer)).not.toContain(webhookSecret.slice(6))
  }
})
