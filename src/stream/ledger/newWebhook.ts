import type { Hex } from '../../util/hex.ts'

/**
 * A webhook: what a stream matched in one block, or a part of that, sent to the stream's address. A delivery: sending a webhook
 * until it is delivered or given up. An attempt: one POST of it. A retraction: the webhook that takes back what a reorganisation
 * took away.
 */
export type WebhookKind = 'unconfirmed' | 'confirmed' | 'retraction'

/** A webhook to be owed to the receiver of a stream. */
export type NewWebhook = {
  /** Of the stream: the hash of its id mod 256. */
  partition: number
  /** UUID. */
  streamId: string
  chainId: bigint
  blockNumber: bigint
  blockHash: Hex
  kind: 'unconfirmed' | 'confirmed'
  /** Of what the stream matched in the block, from 1; a webhook that would be too large is one of several. */
  part: number
  parts: number
  /** Compact JSON as first sent, `retries` 0, its fields in the order of the interface: … tag, retries, block … */
  body: string
  /** What it holds of what matched. Counted where it is confirmed. */
  counts: { logs: number; txs: number; txsInternal: number }
  /** From a block at the head, not from history. */
  live: boolean
  /** Its stream wants to be told of a block only once it is confirmed. */
  confirmedOnly?: boolean
  /** Number of the addition that it is of (`StreamAddition`): what these addresses add to what the stream has of the block. */
  addition?: bigint
}
