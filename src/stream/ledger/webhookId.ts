import { createHash } from 'node:crypto'
import type { Hex } from '../../util/hex.ts'
import type { WebhookKind } from '../query.ts'

export type WebhookIdParts = {
  streamId: string
  chainId: bigint
  blockHash: Hex
  kind: WebhookKind
  /** Earlier retractions of this block: if a chain changes from A to B and back to A, the webhooks of A get new ids. */
  flips: number
  /** From 1. */
  part: number
  /** Number of the addition of this webhook: the stream may also have a webhook of the block without its addresses. */
  addition?: bigint
}

/** The header `webhook-id`: the same for all attempts and replays of a webhook. */
export function webhookId({ streamId, chainId, blockHash, kind, flips, part, addition }: WebhookIdParts): string {
  // The first part has the id of an unsplit webhook, which keeps the ids of earlier versions.
  const which = part === 1 ? flips : `${flips}:${part}`
  const added = addition === undefined ? '' : `:added ${addition}`
  return uuidOf(createHash('sha256').update(`${streamId}:${chainId}:${blockHash}:${kind}:${which}${added}`).digest())
}

/** A hash as a UUID of version 4: published clients validate ids. */
export function uuidOf(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
