import type { Address, Hex } from '../../../util/hex.ts'
import type { ParsedJson } from '../rpc/parseJson.ts'
import type { Header, InternalTransfer, RpcLog, RpcReceipt, RpcTransaction } from '../rpc/rpc.ts'

/** A block whose header is requested: by its number, or by number and hash. */
export type NamedBlock = { number: bigint; hash?: Hex }

/** A block and its time. */
export type BlockTime = Pick<Header, 'number' | 'hash' | 'timestamp'>

export type Head = {
  head: Header
  /** The last final block (`finalized`, or head − finalityDepth) from all answers so far: it never decreases. */
  finalized: bigint
  /**
   * The same from the node of this head alone, so that it is on the head's chain: a lagging node may be on an orphaned fork. 0 if this node reports
   * none although others do.
   */
  finalizedUnderHead: bigint
}

/** `topics[i]`: one of these at place i; null: any topic, but the log must have one there. */
export type Topics = readonly (readonly Hex[] | null)[]

/** `address` omitted: of any contract. */
export type LogRange = { address?: Address; topics: Topics; from: bigint; to: bigint }

/** Parameters of eth_getLogs. */
export type LogQuestion = { address?: Address; topics: Topics; from: number; to: number }

/** The verdict on an answer of eth_getLogs. `misnumbered`: blocks with impossible log indexes. */
export type LogVerdict<T> = ReadVerdict | { decoded: DecodedLogs<T> }
export type ReadVerdict = { inconsistency: string } | { logs: RpcLog[]; misnumbered: readonly number[] }

/** The decoded form `of` of at least one log, all of which passed every check. `inLast`: how many are in the block of the last one. */
export type DecodedLogs<T> = { of: T; count: number; first: LogPlace; last: LogPlace; inLast: number }
type LogPlace = Pick<RpcLog, 'blockNumber' | 'blockHash'>

/** The result of another thread for a reply. `place`: index of the call's answer in the reply; `verdict` replaces its result. */
export type DecodedReply<T> = { parsed: ParsedJson; verdict?: { place: number; of: LogVerdict<T> } }

/** Decodes a reply in another thread, as `decodeReply` does; undefined: not worth it, so it is parsed here. Rejects like `ParseElsewhere`. */
export type LogDecoder<T> = (
  reply: { bytes: Buffer; question: LogQuestion; nesting: number },
  signal: AbortSignal | undefined,
) => Promise<DecodedReply<T>> | undefined

/** All that indexing reads of one chain. Every answer is validated against its request. */
export type EvmSource = {
  /** EIP-155 id that the node reports, and the hash of block 0. */
  identity(signal?: AbortSignal): Promise<{ chainId: bigint; genesisHash: Hex }>
  /** A head, and the last block of the chain that can no longer be reorganised. */
  head(signal?: AbortSignal): Promise<Head>
  /**
   * The block with a number in the chain that ends in this head, or the one below it if the number has none. Undefined if no node has the head any
   * more. `headers` may be of a node with another head.
   */
  headerUnder(head: Pick<Header, 'number' | 'hash'>, number: bigint, signal?: AbortSignal): Promise<Header | undefined>
  /**
   * Headers of `from`…`to`, linked by parent hash; shorter if the node does not have the later ones yet. Throws InconsistentResponseError if those
   * near the last final block are not on the final chain.
   */
  headers(from: bigint, to: bigint, signal?: AbortSignal): Promise<Header[]>
  /**
   * Headers of blocks that need not be consecutive, in the given order. If a block has a hash too, only the one with that hash counts. Throws
   * InconsistentResponseError if no node has one of them.
   */
  headersOf(blocks: readonly NamedBlock[], signal?: AbortSignal): Promise<Header[]>
  /**
   * Confirms hash and time of a final block's header by another endpoint, or by its hash if there is no other. Throws InconsistentResponseError if
   * nodes disagree or none confirms it.
   */
  confirm(header: BlockTime, signal?: AbortSignal): Promise<void>
  /** The header of a block of the chain by its hash; undefined if there is none, or a reorganisation removed it. */
  headerByHash(hash: Hex, signal?: AbortSignal): Promise<Header | undefined>
  /**
   * Logs of blocks `from`…`to`, or of a shorter prefix: `to` of the answer is its last block and `toHash` that block's hash, read together with the
   * logs from one backend. In order of (block, log index), without duplicates, and only of the requested address, topics and blocks. Meant for
   * finalized blocks. Above them the caller compares every block hash (each log's own, and `toHash`) with its chain, since the chain may have
   * changed. `decoder` may decode the logs in another thread: the answer then has `decoded`, and no logs.
   */
  logs<T = never>(
    range: LogRange,
    signal?: AbortSignal,
    decoder?: LogDecoder<T>,
  ): Promise<{ logs: RpcLog[]; to: bigint; toHash: Hex; decoded?: DecodedLogs<T> | undefined }>
  /**
   * Logs of one block by its hash, of all addresses. Complete for `watched` addresses, and for all if `topics` is empty. If the block's bloom shows
   * that the answer may lack logs, or a second answer with such logs differs, the block's receipts decide. Throws BlockUnsettledError while no node
   * can decide. `watchedList`: the same addresses as a list. `parties`: topics of addresses; complete for logs with one of these too.
   */
  blockLogs(
    header: Header,
    options: {
      topics: Topics
      watched: (address: Address) => boolean
      watchedList: () => Iterable<Address>
      parties?: readonly Hex[]
    },
    signal?: AbortSignal,
  ): Promise<RpcLog[]>
  /** Every transaction of a block by its hash, in order. Throws BlockUnsettledError while no node returns all of them. */
  transactions(header: Header, signal?: AbortSignal): Promise<RpcTransaction[]>
  /** The receipt of every transaction of a block, in order. Throws BlockUnsettledError while no node returns all of them. */
  receipts(header: Header, signal?: AbortSignal): Promise<RpcReceipt[]>
  /**
   * Internal transactions of a block, from `trace_block` or `callTracer`. Throws TracesUnavailableError if the nodes support neither,
   * BlockUnsettledError while no node returns the traces of all transactions.
   */
  internalTransfers(header: Header, signal?: AbortSignal): Promise<InternalTransfer[]>
  /** The senders of the transactions with these hashes, in their order; null: no node has the transaction. */
  senders(hashes: readonly Hex[], signal?: AbortSignal): Promise<(Address | null)[]>
  /** Native balances after a block, in the order of the addresses. */
  balances(header: Header, addresses: readonly Address[], signal?: AbortSignal): Promise<bigint[]>
  /** Drops remembered answers, which may be of another chain. Omitted if nothing is remembered. */
  forget?(): void
  close(): Promise<void>
}
