import { randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** A secret of Standard Webhooks: `whsec_` and 24 random bytes in base64. */
export function createWebhookSecret(): string {
  return prefix + randomBytes(24).toString('base64')
}

/** The key that a secret stands for; the prefix may be missing. */
export function webhookKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64')
}
