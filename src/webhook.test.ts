import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createWebhookSecret } from './stream/sign/webhookSecret.ts'
import { verifyWebhook } from './webhook.ts'

const secret = createWebhookSecret()
const body = JSON.stringify({ confirmed: true, tag: 'ключ' })

/** Signed by the published package. */
function signed(options: { id?: string; at?: Date } = {}): Record<string, string> {
  const { id = randomUUID(), at = new Date() } = options
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
}

test('default: takes what the published package signed, with headers of Node, of fetch, and bytes', () => {
  const headers = signed()
  const verified = verifyWebhook(body, headers, secret)
  expect(verified).toMatchObject({ id: headers['webhook-id'], body: JSON.parse(body) })
  expect(verifyWebhook(Buffer.from(body), new Headers(headers), secret)).toEqual(verified)
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  expect(verifyWebhook(body, upper, secret)).toEqual(verified)
})

test('behavior: one of several secrets and one of several signatures is enough', () => {
  const headers = signed()
  const more = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']} v2,x` }
  expect(() => verifyWebhook(body, more, [createWebhookSecret(), secret])).not.toThrow()
})

test.each([
  ['signature', { body: `${body} ` }],
  ['signature', { secret: createWebhookSecret() }],
  ['signature', { headers: { ...signed(), 'webhook-id': 'another' } }],
  ['timestamp', { headers: signed({ at: new Date(Date.now() - 301_000) }) }],
  ['timestamp', { headers: signed({ at: new Date(Date.now() + 302_000) }) }],
  ['timestamp', { headers: { ...signed(), 'webhook-timestamp': 'soon' } }],
  ['missing_header', { headers: { 'webhook-id': '1', 'webhook-timestamp': '2' } }],
])('error: %s', (fault, given) => {
  const all = { body, headers: signed(), secret, ...given }
  expect(() => verifyWebhook(all.body, all.headers, all.secret)).toThrow(
    expect.objectContaining({ code: 'WEBHOOK_VERIFICATION', fault }),
  )
})
