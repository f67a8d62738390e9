import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { keccak256, toBytes } from 'viem'
import { expect, test } from 'vitest'
import { signOperationalWebhook, signWebhook } from './signWebhook.ts'
import { createWebhookSecret, webhookKey } from './webhookSecret.ts'

const body = JSON.stringify({ tag: 'ключ 🔑 \u0000 "quoted"', list: Array.from({ length: 300 }, (_, i) => i) })

function sign(secrets: string[], options: { id?: string; now?: number } = {}) {
  const { id = randomUUID(), now = Date.now() } = options
  return signWebhook({ id, body, now, keys: secrets.map(webhookKey), secretKey: 'ein Schlüssel' })
}

test('default: the published standardwebhooks package verifies the signature', () => {
  const secret = createWebhookSecret()
  expect(new Webhook(secret).verify(body, sign([secret]))).toEqual(JSON.parse(body))
})

test('default: x-signature is the keccak-256 of body and secret, as another library computes it', () => {
  expect(sign([createWebhookSecret()])['x-signature']).toBe(keccak256(toBytes(`${body}ein Schlüssel`)))
})

test('behavior: during a secret rotation both the old and the new secret verify', () => {
  const secrets = [createWebhookSecret(), createWebhookSecret()]
  const headers = sign(secrets)
  for (const secret of secrets) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow()
  expect(headers['webhook-signature']?.split(' ').length).toBe(2)
})

test('error: a wrong secret, a changed body, another id or an old timestamp fails verification', () => {
  const secret = createWebhookSecret()
  const headers = sign([secret])
  expect(() => new Webhook(createWebhookSecret()).verify(body, headers)).toThrow()
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
  expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': randomUUID() })).toThrow()
  expect(() => new Webhook(secret).verify(body, sign([secret], { now: Date.now() - 3_600_000 }))).toThrow()
})

test('default: an operational webhook verifies with both signatures under the one secret of its URL', () => {
  const secret = createWebhookSecret()
  const headers = signOperationalWebhook({ id: randomUUID(), body, now: Date.now(), secret })
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(headers['x-signature']).toBe(keccak256(toBytes(body + secret)))
})
