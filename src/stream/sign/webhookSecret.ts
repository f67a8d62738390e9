import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** A secret of Standard Webhooks: `whsec_` and 24 random bytes in base64. */
export function createWebhookSecret(): string {
  return prefix + randomBytes(24).toString('base64')
}

const form = new RegExp(`^${prefix}[A-Za-z0-9+/]+={0,2}$`)

/** Whether a text is an acceptable secret: `whsec_` and 24 to 64 bytes in padded base64 (Standard Webhooks). */
export function isWebhookSecret(text: string): boolean {
  if (!form.test(text)) return false
  const key = Buffer.from(text.slice(prefix.length), 'base64')
  return key.length >= 24 && key.length <= 64 && prefix + key.toString('base64') === text
}

/**
 * The key of a secret; the prefix is optional. Signing with a KeyObject takes a quarter of the time of signing with
 * bytes.
 */
export function webhookKey(secret: string): KeyObject {
  return createSecretKey(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64')
}
