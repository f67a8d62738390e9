import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** A secret of Standard Webhooks: `whsec_` and 24 random bytes in base64. */
export function createWebhookSecret(): string {
  return prefix + randomBytes(24).toString('base64')
}

/** The key that a secret stands for; the prefix may be missing. A KeyObject signs in a quarter of the time of the same bytes. */
export function webhookKey(secret: string): KeyObject {
  return createSecretKey(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64')
}
