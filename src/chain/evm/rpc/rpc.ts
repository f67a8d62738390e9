import type { Address, Hex } from '../../../util/hex.ts'
import type { EndpointState } from './endpointState.ts'
import type { ParseElsewhere } from './parseJson.ts'

/** One JSON-RPC call. */
export type RpcCall = { method: string; params: readonly unknown[] }

export type RpcOptions = {
  signal?: AbortSignal
  /** Endpoints (as in `Answer.endpoint`) to query only if no other is left, as their answer was inconsistent. */
  avoid?: ReadonlySet<string>
  /** Parses the answers of `together` elsewhere. */
  parse?: ParseElsewhere | undefined
}

/** A result and its endpoint, so that an inconsistent one can be requested elsewhere. */
export type Answer<T> = { result: T; endpoint: string }

/** A block that every node of a chain has. */
export type Mark = { number: bigint; hash: Hex }

/** The nodes of one chain, used as one: failover, batching, timeouts, retries with backoff, adaptive concurrency. */
export type Rpc = {
  /** One call, retried on transient errors. Throws RpcError, or NoEndpointError. */
  call<T>(method: string, params: readonly unknown[], options?: RpcOptions): Promise<T>
  /** The same, with the endpoint that answered. */
  request<T>(method: string, params: readonly unknown[], options?: RpcOptions): Promise<Answer<T>>
  /** Many calls in as few HTTP requests as the node accepts. Each has a result or its own error. Throws only if no node could be queried. */
  batch<T>(calls: readonly RpcCall[], options?: RpcOptions): Promise<(T | Error)[]>
  /**
   * A few calls to one endpoint, in one HTTP request if it accepts batches, so that one backend answers all. If one has a transient error, all are
   * retried.
   */
  together<T>(calls: readonly RpcCall[], options?: RpcOptions): Promise<Answer<(T | Error)[]>>
  /**
   * Checks every endpoint before its next call for the chain's id and the hashes of these blocks. An endpoint with another id or hash is not used.
   */
  expect(marks: readonly Mark[]): void
  /**
   * Records a reader's verdict on an endpoint's answer to a method: the reason why it is invalid, or undefined if it is valid. `states` reports it.
   * The reader decides which endpoint is queried next (`avoid`).
   */
  judge(endpoint: string, method: string, wrong: string | undefined): void
  /** State of each endpoint, in the order of the configuration. */
  states(): EndpointState[]
  /** Number of endpoints configured. */
  endpoints: number
  /** Most calls in one HTTP request. */
  batchSize: number
  close(): Promise<void>
}

/** A log from a node: all numbers in hex. */
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
  /** Not every node returns it, and it may be wrong: see `blockTimeOf`. */
  blockTimestamp?: unknown
}

/** A transaction from a node's block; `type` and the signature are missing on some chains. */
export type RpcTransaction = {
  hash: Hex
  blockHash: Hex
  transactionIndex: Hex
  from: Address
  /** null: the transaction creates a contract. */
  to: Address | null
  value: Hex
  gas: Hex
  gasPrice?: Hex | null
  nonce: Hex
  input: Hex
  type?: Hex | null
  v?: Hex | null
  r?: Hex | null
  s?: Hex | null
}

/** A receipt from a node. `root` before Byzantium, `status` after it. */
export type RpcReceipt = {
  transactionHash: Hex
  blockHash: Hex
  cumulativeGasUsed: Hex
  gasUsed: Hex
  contractAddress?: Address | null
  root?: Hex | null
  status?: Hex | null
}

/** Value moved inside a transaction: by a call, the creation of a contract or its end. Reverted moves are omitted. */
export type InternalTransfer = { transactionHash: Hex; from: Address; to: Address; value: bigint; gas: bigint }

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
  /** 256 bytes; null or all zero on chains without blooms. */
  logsBloom: Hex | null
  transactionCount: number
  /** The chain has no block of this number (a null round of Filecoin): hash and time are those of the block below. */
  absent?: boolean
}
