import type { Address, Hex } from '../../../util/hex.ts'
import type { EndpointState } from './endpointState.ts'
import type { ParseElsewhere } from './parseJson.ts'

/** One JSON-RPC call. */
export type RpcCall = { method: string; params: readonly unknown[] }

export type RpcOptions = {
  signal?: AbortSignal
  /** Endpoints (as in `Answer.endpoint`) to query only if no other is left, as their response was inconsistent. */
  avoid?: ReadonlySet<string>
  /** Parses the answers elsewhere, of `together` alone. */
  parse?: ParseElsewhere | undefined
}

/** A result and the endpoint that gave it, so that a inconsistent one can be requested elsewhere. */
export type Answer<T> = { result: T; endpoint: string }

/** A block that every node of a chain has. */
export type Mark = { number: bigint; hash: Hex }

/** The nodes of one chain, used as one: failover, batching, timeouts, retries with backoff, adaptive concurrency. */
export type Rpc = {
  /** One call, made again while its error is one that passes. Throws RpcError, or NoEndpointError. */
  call<T>(method: string, params: readonly unknown[], options?: RpcOptions): Promise<T>
  /** The same, with the endpoint that answered. */
  ask<T>(method: string, params: readonly unknown[], options?: RpcOptions): Promise<Answer<T>>
  /**
   * Many calls in as few HTTP requests as the node takes. Each is a result or the error of that call alone; throws only if no node could be queried.
   */
  batch<T>(calls: readonly RpcCall[], options?: RpcOptions): Promise<(T | Error)[]>
  /**
   * A few calls to one endpoint, in one HTTP request where it takes batches, so that one backend answers all of them. If one
   * has an error that passes, all of them are made again.
   */
  together<T>(calls: readonly RpcCall[], options?: RpcOptions): Promise<Answer<(T | Error)[]>>
  /**
   * Has every endpoint queried again, before its next call, for the chain's id and the hashes of these blocks. An endpoint that
   * gives another id or hash is not used.
   */
  expect(marks: readonly Mark[]): void
  /**
   * Records a reader's verdict on an endpoint's response to a method: the reason why it is invalid, or undefined if it is valid. `states` shows it.
   * The reader decides which endpoint is queried next (`avoid`).
   */
  judge(endpoint: string, method: string, wrong: string | undefined): void
  /** How each endpoint fares, in the order of the configuration. */
  states(): EndpointState[]
  /** Number of endpoints configured. */
  endpoints: number
  /** Most calls that are sent in one HTTP request. */
  batchSize: number
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
  /** Not of every node, and not always right: see `blockTimeOf`. */
  blockTimestamp?: unknown
}

/** A transaction as a node gives it in a block; `type` and the signature are missing on some chains. */
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

/** A receipt as a node gives it. `root` before Byzantium, `status` after it. */
export type RpcReceipt = {
  transactionHash: Hex
  blockHash: Hex
  cumulativeGasUsed: Hex
  gasUsed: Hex
  contractAddress?: Address | null
  root?: Hex | null
  status?: Hex | null
}

/** Value that moved inside of a transaction: by a call, the creation of a contract or its end. Reverted ones are omitted. */
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
  /** 256 bytes; null or all zero on chains that keep none. */
  logsBloom: Hex | null
  transactionCount: number
  /** The chain has no block of this number (a null round of Filecoin): hash and time are those of the block below. */
  absent?: boolean
}
