import type { LegacySignature } from './legacySignature.ts'
import { signWebhook } from './signWebhook.ts'
import { webhookKey } from './webhookSecret.ts'

/**
 * The headers of a notice to `webhooks.operationsUrl`, signed both ways as a webhook is, each with the secret of that address
 * (`readOperationsSecret`): its receiver needs to know no stream's secret, nor the server's `secretKey`.
 */
export function signNotice(notice: {
  /** The header webhook-id: the same for each attempt. */
  id: string
  body: string
  /** Milliseconds since 1970. */
  now: number
  /** whsec_… */
  secret: string
  legacySignature: LegacySignature
}): Record<string, string> {
  const { secret, ...rest } = notice
  return signWebhook({ ...rest, keys: [webhookKey(secret)], secretKey: secret })
}
