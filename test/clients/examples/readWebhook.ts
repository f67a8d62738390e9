import Moralis from 'moralis'
import { EvmStreamResult } from 'moralis/common-streams-utils'

/** Takes a request's body as text and its header x-signature; throws if the signature is wrong. */
export function readWebhook<Log>(body: string, signature: string) {
  const webhook = JSON.parse(body)
  Moralis.Streams.verifySignature({ body: webhook, signature })
  // The test webhook, and streams without an ABI, have an empty abi, which parsedLogs rejects.
  const logs = webhook.abi.length > 0 ? Moralis.Streams.parsedLogs<Log>(webhook) : []
  return { result: EvmStreamResult.create(webhook), logs }
}
