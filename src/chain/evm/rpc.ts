import type { Address, Hex } from '../../util/hex.ts'

/** One JSON-RPC call. */
export type RpcCall = { method: string; params: readonly unknown[] }

export type RpcOptions = {
  signal?: AbortSignal
  /** Endpoints (as in `Answer.endpoint`) to ask only when no other is left: an answer of theirs is doubted. */
  avoid?: ReadonlySet<string>
}

/** A result and who gave it, so that a doubtful one can be asked for elsewhere. */
export type Answer<T> = { result: T; endpoint: string }

/** The nodes of one chain, used as one: failover, batching, timeouts, retries with backoff, adaptive concurrency. */
export type Rpc = {
  /** One call, tried until a node answers it or the fault is no passing one. Throws RpcError. */
  call<T>(method: string, params: readonly unknown[], options?: RpcOptions): Promise<T>
  /** The same, telling who answered. */
  ask<T>(method: string, params: readonly unknown[], options?: RpcOptions): Promise<Answer<T>>
  /**
   * Many calls in as few HTTP requests as the node takes. Each is a result or the error of that call alone; throws only
   * where no node could be asked.
   */
  batch<T>(calls: readonly RpcCall[], options?: RpcOptions): Promise<(T | Error)[]>
  /**
   * A few calls to one endpoint, in one HTTP request where it takes batches, so that one backend answers all of them; a
   * passing fault of one of them asks all of them again.
   */
  together<T>(calls: readonly RpcCall[], options?: RpcOptions): Promise<Answer<(T | Error)[]>>
  /** Number of endpoints configured. */
  endpoints: number
  close(): Promise<void>
}

/** A log as a node gives it: all numbers in hex. */
export type RpcLog = {
  address: Address
  topics: Hex[]
  data: Hex
  blockNumber: Hex
  blockHash: Hex
  transactionHash: Hex
  transactionIndex: Hex
  logIndex: Hex
  removed?: boolean
}

export type RpcHeader = {
  number: Hex
  hash: Hex
  parentHash: Hex
  timestamp: Hex
  logsBloom: Hex | null
  transactions: unknown[]
}

/** A block header, parsed. */
export type Header = {
  number: bigint
  hash: Hex
  parentHash: Hex
  /** Unix time in seconds. */
  timestamp: bigint
  /** 256 bytes; null or all zero on chains that keep none. */
  logsBloom: Hex | null
  transactionCount: number
}
