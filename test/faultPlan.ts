import type { RangeWording, ResultWording } from './rejections.ts'

/** Errors of a whole HTTP request. */
export type HttpFault =
  /** Status 429 with Retry-After. */
  | 'tooManyRequests'
  /** Status 502 and an HTML page. */
  | 'serverError'
  /** Status 200 and an HTML page. */
  | 'htmlAnswer'
  /** Never answered. */
  | 'hang'
  /** The connection ends in the middle of the response. */
  | 'cut'
  /** A complete response whose JSON is truncated. */
  | 'brokenJson'
  /** Answered like a node that is `lagBlocks` behind. */
  | 'lagging'
  /** The responses of a batch in another order, which JSON-RPC allows. */
  | 'reorderedBatch'
  /** A batch with one response too few. */
  | 'missingAnswer'

/** Errors of a single call. They count only if they really changed a response. */
export type CallFault =
  /** A JSON-RPC error such as −32005. */
  | 'rateLimited'
  /** Error −32603. */
  | 'internalError'
  /** The block below the requested one, or logs and receipts with the number of another block. */
  | 'wrongBlock'
  /** `[]` for the logs of a block by hash, or of a range that ends within `nearHeadBlocks` of the head. */
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
/** A permanent limit of this node. It counts each time it rejects or changes something. */
export type Limit = 'rangeCap' | 'resultCap' | 'pastHead' | 'disabledMethod' | 'batchRefused'

export type FaultRate = {
  /** 0 to 1. */
  probability: number
  /** Maximum errors in a row, of HTTP requests or of the same call; the default is 3. With Infinity, nothing progresses. */
  inARow?: number
}

export type FaultPlan = {
  faults?: Partial<Record<Fault, FaultRate | number>>
  /** Maximum blocks of one eth_getLogs, and the wording of the error for a wider range. */
  rangeCap?: { blocks: bigint; wording: RangeWording }
  /** Maximum logs of one eth_getLogs over several blocks, and the wording of the error for more. */
  resultCap?: { logs: number; wording: ResultWording }
  /** Rejects eth_getLogs beyond the head, as real nodes do. Only anvil clamps the range. */
  rejectPastHead?: boolean
  /** Methods that this node does not have, such as eth_getBlockReceipts. */
  disabledMethods?: readonly string[]
  /** Maximum calls in one request; 1 rejects every batch. */
  maxBatch?: number
  /** Blocks that `lagging` is behind; the default is 5. */
  lagBlocks?: bigint
  /** How far below the head `emptyLogs` and `missingHeader` reach. The default is 32, because no check finds them in finalized blocks. */
  nearHeadBlocks?: bigint
  /** Value of Retry-After in seconds; the default is 0. */
  retryAfterSeconds?: number
}
