import type { RangeWording, ResultWording } from './rejections.ts'

/** What can go wrong with a whole HTTP request. */
export type HttpFault =
  /** Status 429 with Retry-After. */
  | 'tooManyRequests'
  /** Status 502 and a page of HTML. */
  | 'serverError'
  /** Status 200 and a page of HTML. */
  | 'htmlAnswer'
  /** Never answered. */
  | 'hang'
  /** The connection ends in the middle of the answer. */
  | 'cut'
  /** A whole answer whose JSON ends too early. */
  | 'brokenJson'
  /** Answered as by a node that is `lagBlocks` behind. */
  | 'lagging'
  /** The answers of a batch in another order, which JSON-RPC allows. */
  | 'reorderedBatch'
  /** A batch with one answer too few. */
  | 'missingAnswer'

/** What can go wrong with one call. Counted where an answer really was changed. */
export type CallFault =
  /** A JSON-RPC error such as −32005. */
  | 'rateLimited'
  /** −32603. */
  | 'internalError'
  /** The block below the requested one; logs and receipts that say to be of another block. */
  | 'wrongBlock'
  /** `[]` for logs of a block by hash, or of a range that reaches within `nearHeadBlocks` of the head. */
  | 'emptyLogs'
  /** null for a header within `nearHeadBlocks` of the head. */
  | 'missingHeader'
  | 'reversedLogs'
  | 'duplicatedLogs'
  /** A log of another address among the requested ones. */
  | 'foreignLogs'
  /** `[]` for the receipts of a block. */
  | 'emptyReceipts'
  /** null for the receipts of a block. */
  | 'missingReceipts'

export type Fault = HttpFault | CallFault
/** A limit of this node that always holds, counted each time it refused or changed something. */
export type Limit = 'rangeCap' | 'resultCap' | 'pastHead' | 'disabledMethod' | 'batchRefused'

export type FaultRate = {
  /** 0 to 1. */
  probability: number
  /** Most in a row, of HTTP requests or of the same call; 3 if omitted. Infinity: no progress. */
  inARow?: number
}

export type FaultPlan = {
  faults?: Partial<Record<Fault, FaultRate | number>>
  /** Most blocks of one eth_getLogs, and the words with which a wider range is refused. */
  rangeCap?: { blocks: bigint; wording: RangeWording }
  /** Most logs of one eth_getLogs of several blocks, and the words with which more are refused. */
  resultCap?: { logs: number; wording: ResultWording }
  /** Refuses eth_getLogs beyond the head as real nodes do; anvil alone clamps. */
  refusePastHead?: boolean
  /** Methods that this node does not have, such as eth_getBlockReceipts. */
  disabledMethods?: readonly string[]
  /** Most calls in one request: 1 refuses every batch of two. */
  maxBatch?: number
  /** Of `lagging`; 5 if omitted. */
  lagBlocks?: bigint
  /** How deep below the head `emptyLogs` and `missingHeader` reach; 32 if omitted, as no check finds them in finalized blocks. */
  nearHeadBlocks?: bigint
  /** Value of Retry-After in seconds; 0 if omitted. */
  retryAfterSeconds?: number
}
