import { createHash } from 'node:crypto'
import type { Hex } from '../../util/hex.ts'
import type { WebhookKind } from '../query.ts'

export type WebhookIdParts = {
  streamId: string
  chainId: bigint
  blockHash: Hex
  kind: WebhookKind
  /** How often this block had been retracted before: a chain that flips A, B, A gives A its webhooks under new ids. */
  flips: number
  /** From 1. */
  part: number
  /** Number of the addition whose addresses give it: the stream may have a webhook of the block without these addresses, too. */
  addition?: bigint
}

/** The header `webhook-id`: the same for every attempt and replay of the same thing. */
export function webhookId({ streamId, chainId, blockHash, kind, flips, part, addition }: WebhookIdParts): string {
  // The first part is named as a webhook that is not in parts, so that the ids from before there were parts stay.
  const which = part === 1 ? flips : `${flips}:${part}`
  const added = addition === undefined ? '' : `:added ${addition}`
  return uuidOf(createHash('sha256').update(`${streamId}:${chainId}:${blockHash}:${kind}:${which}${added}`).digest())
}

/** A hash, written as a UUID of version 4: published clients check the form of ids. */
export function uuidOf(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
