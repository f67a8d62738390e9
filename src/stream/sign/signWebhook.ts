import { createHmac, type KeyObject } from 'node:crypto'
import { keccak256 } from '../../util/keccak256.ts'
import { webhookKey } from './webhookSecret.ts'

export type SignOptions = {
  /** The header webhook-id: the same for each attempt. */
  id: string
  body: string
  /** Milliseconds since 1970. */
  now: number
  /** Keys of the stream's secret, then of previous ones that still sign. */
  keys: readonly KeyObject[]
  /** The server's secret, as in `GET /settings`. */
  secretKey: string
}

/** The headers of a webhook with both signatures. */
export function signWebhook({ id, body, now, keys, secretKey }: SignOptions): Record<string, string> {
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

/**
 * The header `x-signature`: keccak-256 of the UTF-8 bytes of body and secret, as the published Moralis clients verify
 * it.
 */
export const legacySignature = (body: string, secret: string) => keccak256(body + secret)

/**
 * The headers of an operational webhook to `webhooks.operationsUrl`, with both signatures, both by the secret (whsec_…)
 * of that address (`readOperationsSecret`). So its receiver needs neither a stream's secret nor the server's
 * `secretKey`.
 */
export function signOperationalWebhook(
  operationalWebhook: Omit<SignOptions, 'keys' | 'secretKey'> & { secret: string },
): Record<string, string> {
  const { secret, ...rest } = operationalWebhook
  return signWebhook({ ...rest, keys: [webhookKey(secret)], secretKey: secret })
}

/**
 * The header `webhook-signature`: `v1,` and base64 HMAC-SHA256 of `id.timestamp.body` for each key, separated by
 * spaces.
 */
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
