import type { Hex } from '../../util/hex.ts'

/** A webhook to enqueue. */
export type NewWebhook = {
  /** Partition of the stream: the hash of its id mod 256. */
  partition: number
  /** UUID. */
  streamId: string
  chainId: bigint
  blockNumber: bigint
  blockHash: Hex
  kind: 'unconfirmed' | 'confirmed'
  /** Number of this part, from 1 to `parts`: a large webhook is split. */
  part: number
  parts: number
  /**
   * Compact JSON as first sent, with `retries` 0 and its fields in the order of the interface: … tag, retries, block …
   */
  body: string
  /** Number of logs, transactions and internal transactions. The counters add them when the webhook is confirmed. */
  counts: { logs: number; txs: number; txsInternal: number }
  /** The webhook's block is at the head, not history. */
  live: boolean
  /** The stream wants only confirmed webhooks. */
  confirmedOnly?: boolean
  /**
   * Number of the addition (`StreamAddition`) of this webhook, which adds to what the stream already had of the block.
   */
  addition?: bigint
}
