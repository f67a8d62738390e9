import { randomUUID } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createWebhookSecret } from './stream/sign/webhookSecret.ts'
import { verifyWebhook } from './webhook.ts'

const secret = createWebhookSecret()
const body = JSON.stringify({ confirmed: true, tag: 'ключ' })

/** Headers that the published package signs. */
function signed(options: { id?: string; at?: Date } = {}): Record<string, string> {
  const { id = randomUUID(), at = new Date() } = options
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
}

test('default: accepts what the published package signed, with Node headers, fetch headers, and bytes', () => {
  const headers = signed()
  const verified = verifyWebhook(body, headers, secret)
  expect(verified).toMatchObject({ id: headers['webhook-id'], body: JSON.parse(body) })
  expect(verifyWebhook(Buffer.from(body), new Headers(headers), secret)).toEqual(verified)
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  expect(verifyWebhook(body, upper, secret)).toEqual(verified)
})

test('behavior: one matching secret and one matching signature among several suffice', () => {
  const headers = signed()
  const more = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']} v2,x` }
  expect(() => verifyWebhook(body, more, [createWebhookSecret(), secret])).not.toThrow()
})

test.each([
  ['signature', { body: `${body} ` }],
  ['signature', { secret: createWebhookSecret() }],
  ['signature', { headers: { ...signed(), 'webhook-id': 'another' } }],
  ['signature', { headers: signed({ id: 'a.1' }) }],
  ['timestamp', { headers: signed({ at: new Date(Date.now() - 301_000) }) }],
  ['timestamp', { headers: signed({ at: new Date(Date.now() + 302_000) }) }],
  ['timestamp', { headers: { ...signed(), 'webhook-timestamp': 'soon' } }],
  ['missing_header', { headers: { 'webhook-id': '1', 'webhook-timestamp': '2' } }],
])('error: %s', (fault, given) => {
  const all = { body, headers: signed(), secret, ...given }
  expect(() => verifyWebhook(all.body, all.headers, all.secret)).toThrow(
    expect.objectContaining({ code: 'WEBHOOK_VERIFICATION', fault, statusCode: 401 }),
  )
})

const parsed = 'the body is an object that was parsed already: give the text or bytes of the request as they came'
const bytes = new TextEncoder().encode(body)

test.each<[string, { body?: unknown; headers?: unknown; secret?: unknown; options?: unknown }, string]>([
  ['no secret', { secret: undefined }, 'the secret is undefined: give the webhookSecret of the stream'],
  ['an empty secret', { secret: '' }, 'the secret is empty: give the webhookSecret of the stream'],
  ['no list of secrets', { secret: [] }, 'the list of secrets is empty: give the webhookSecret'],
  ['a list with a gap', { secret: [secret, undefined] }, 'the secret is undefined: give the webhookSecret'],
  ['something else as a secret', { secret: 'whsec_not base64!' }, 'the secret is not a webhookSecret: give'],
  ['the beginning of a secret', { secret: secret.slice(0, 20) }, 'the secret is not a webhookSecret: give'],
  ['an object as a secret', { secret: { secret } }, 'the secret is an object: give the webhookSecret'],
  ['a body that was parsed', { body: JSON.parse(body) }, parsed],
  ['a list that was parsed', { body: [1] }, 'the body is a list: give the text'],
  ['no body', { body: undefined }, 'the body is undefined: give the text or bytes of the request'],
  ['a request as a body', { body: new Request('http://a.example') }, 'the body is of the kind Request: give'],
  ['a list of headers', { headers: ['webhook-id', '1'] }, 'the headers are a list: give those of the request'],
  ['no options', { options: null }, 'the options are null: give { toleranceSeconds, now }, or omit them'],
  ['a number as options', { options: 300 }, 'the options are 300: give { toleranceSeconds, now }'],
  ['no tolerance', { options: { toleranceSeconds: Number.NaN } }, 'toleranceSeconds is NaN: give seconds from 0 on'],
  ['a tolerance as text', { options: { toleranceSeconds: '9' } }, 'toleranceSeconds is a string: give seconds'],
  ['a negative tolerance', { options: { toleranceSeconds: -1 } }, 'toleranceSeconds is -1: give seconds'],
  ['a date as now', { options: { now: new Date() } }, 'now is of the kind Date: give milliseconds since 1970'],
  ['no headers', { headers: undefined }, 'the headers are undefined: give those of the request'],
])('error: the message about %s is one sentence, for any received value', (_, given, message) => {
  const all = { body, headers: signed(), secret, options: undefined, ...given }
  const call = verifyWebhook as (...all: unknown[]) => unknown
  expect(() => call(all.body, all.headers, all.secret, all.options)).toThrow(
    expect.objectContaining({
      name: 'WebhookArgumentError',
      code: 'WEBHOOK_ARGUMENT',
      message: expect.stringContaining(message),
    }),
  )
})

test('error: a message about a secret does not contain the secret', () => {
  expect(() => verifyWebhook(body, signed(), 'hunter2 hunter2')).toThrow(/^(?!.*hunter2).*$/)
})

test('behavior: accepts bytes in every form in which requests provide them', () => {
  // The package also accepts bytes of another realm, as under Jest.
  const foreign = runInNewContext(`Uint8Array.from([0, ${bytes}]).subarray(1)`)
  for (const one of [bytes, bytes.buffer, Buffer.from(bytes), foreign, foreign.slice().buffer])
    expect(verifyWebhook(one as Uint8Array, signed(), secret).body).toEqual(JSON.parse(body))
})
