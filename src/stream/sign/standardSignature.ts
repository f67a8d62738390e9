import { createHmac, type KeyObject } from 'node:crypto'

/** The header `webhook-signature`: `v1,` and base64 HMAC-SHA256 of `id.timestamp.body`, one for each key, by spaces. */
export function standardSignature(options: {
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
