import { createHmac, type KeyObject } from 'node:crypto'
import { keccak256 } from '../../util/keccak256.ts'
import { webhookKey } from './webhookSecret.ts'

export type SignOptions = {
  /** The header webhook-id: the same for each attempt. */
  id: string
  body: string
  /** Milliseconds since 1970. */
  now: number
  /** Keys of the stream's own secret, then of previous ones that still sign. */
  keys: readonly KeyObject[]
  /** The server's secret, which `GET /settings` gives. */
  secretKey: string
}

/** The headers of a webhook, signed both ways. */
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

/** The header `x-signature`: keccak-256 of the UTF-8 bytes of body and secret together, as the published Moralis clients check it. */
export const legacySignature = (body: string, secret: string) => keccak256(body + secret)

/**
 * The headers of an operational webhook to `webhooks.operationsUrl`, signed both ways as a webhook is, each with the secret (whsec_…) of that address
 * (`readOperationsSecret`): its receiver needs to know no stream's secret, nor the server's `secretKey`.
 */
export function signNotice(
  notice: Omit<SignOptions, 'keys' | 'secretKey'> & { secret: string },
): Record<string, string> {
  const { secret, ...rest } = notice
  return signWebhook({ ...rest, keys: [webhookKey(secret)], secretKey: secret })
}

/** The header `webhook-signature`: for each key `v1,` and base64 HMAC-SHA256 of `id.timestamp.body`, separated by spaces. */
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
