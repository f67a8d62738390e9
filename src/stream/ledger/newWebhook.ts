import type { Hex } from '../../util/hex.ts'

/** A webhook that is to be enqueued. */
export type NewWebhook = {
  /** Of the stream: the hash of its id mod 256. */
  partition: number
  /** UUID. */
  streamId: string
  chainId: bigint
  blockNumber: bigint
  blockHash: Hex
  kind: 'unconfirmed' | 'confirmed'
  /** Which of its `parts` it is, from 1: what would be too large for one webhook is sent in several. */
  part: number
  parts: number
  /** Compact JSON as first sent, `retries` 0, its fields in the order of the interface: … tag, retries, block … */
  body: string
  /** How many logs, transactions and internal transactions it holds. The counters add them when the webhook is confirmed. */
  counts: { logs: number; txs: number; txsInternal: number }
  /** The webhook is of a block at the head, not of history. */
  live: boolean
  /** The stream wants only confirmed webhooks. */
  confirmedOnly?: boolean
  /** Number of the addition (`StreamAddition`) whose addresses give this webhook, beside what the stream had of the block. */
  addition?: bigint
}
