import { createHmac, type KeyObject } from 'node:crypto'
import type { LegacySignature } from './legacySignature.ts'

export type SignOptions = {
  id: string
  body: string
  /** Milliseconds since 1970. */
  now: number
  /** Of the stream: its own secret first, then previous ones that still sign. */
  keys: readonly KeyObject[]
  /** Of the server: what `GET /settings` gives. */
  secretKey: string
  legacySignature: LegacySignature
}

/** The headers of a webhook, signed both ways. */
export function signWebhook({ id, body, now, keys, secretKey, legacySignature }: SignOptions): Record<string, string> {
  const timestamp = Math.floor(now / 1_000)
  return {
    'content-type': 'application/json',
    'user-agent': 'mintmark',
    'x-signature': legacySignature(body, secretKey),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standardSignature({ id, timestamp, body, keys }),
  }
}

/** The header `webhook-signature`: `v1,` and base64 HMAC-SHA256 of `id.timestamp.body`, one for each key, by spaces. */
function standardSignature(options: {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
  keys: readonly KeyObject[]
}): string {
  const head = `${options.id}.${options.timestamp}.`
  return options.keys
    .map((key) => `v1,${createHmac('sha256', key).update(head).update(options.body).digest('base64')}`)
    .join(' ')
}
