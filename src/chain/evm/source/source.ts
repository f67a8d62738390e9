import type { Address, Hex } from '../../../util/hex.ts'
import type { ParsedJson } from '../rpc/parseJson.ts'
import type { Header, InternalTransfer, RpcLog, RpcReceipt, RpcTransaction } from '../rpc/rpc.ts'

/** A block whose header is requested: by its number, and of that number the one with the hash where one is given. */
export type NamedBlock = { number: bigint; hash?: Hex }

export type Head = {
  head: Header
  /** The last final block (`finalized`, or head − finalityDepth) by all that nodes said so far: it never goes back. */
  finalized: bigint
  /**
   * The same by the node of this head alone, so that it is on the chain of the head: a lagging node may be on an undone fork. 0 if this node does not
   * show, though others do.
   */
  finalizedUnderHead: bigint
}

/** `topics[i]`: one of these at place i; null: anything, but the log must have a topic there. */
export type Topics = readonly (readonly Hex[] | null)[]

/** `address` omitted: of any contract. */
export type LogRange = { address?: Address; topics: Topics; from: bigint; to: bigint }

/** Parameters of eth_getLogs. */
export type LogQuestion = { address?: Address; topics: Topics; from: number; to: number }

/** What an answer of eth_getLogs is found to be. `misnumbered`: blocks whose log indexes cannot be those of the block. */
export type LogVerdict<T> = ReadVerdict | { decoded: DecodedLogs<T> }
export type ReadVerdict = { inconsistency: string } | { logs: RpcLog[]; misnumbered: readonly number[] }

/** Logs that passed every check, are some, and are made into `of`. */
export type DecodedLogs<T> = { of: T; count: number; first: LogPlace; last: LogPlace }
type LogPlace = Pick<RpcLog, 'blockNumber' | 'blockHash'>

/** What another thread makes of a reply. `place`: of the call's answer among those of the reply, whose result is `verdict`. */
export type DecodedReply<T> = { parsed: ParsedJson; verdict?: { place: number; of: LogVerdict<T> } }

/** Has another thread decode a reply, as `decodeReply` does; undefined: not worth it, so that it is parsed here. Rejects as `ParseElsewhere`. */
export type LogDecoder<T> = (
  reply: { bytes: Buffer; question: LogQuestion; nesting: number },
  signal: AbortSignal | undefined,
) => Promise<DecodedReply<T>> | undefined

/** Everything that indexing reads of one chain. Every response is validated against its request. */
export type EvmSource = {
  /** EIP-155 id as the node says it, and the hash of block 0. */
  identity(signal?: AbortSignal): Promise<{ chainId: bigint; genesisHash: Hex }>
  /** A head, and the last block of the chain that cannot be undone any more. */
  head(signal?: AbortSignal): Promise<Head>
  /**
   * The block of a number in the chain that ends in this head, or the one below it where the number has none; undefined if no node has the
   * head any more. `headers` may be of a node with another head.
   */
  headerUnder(head: Pick<Header, 'number' | 'hash'>, number: bigint, signal?: AbortSignal): Promise<Header | undefined>
  /**
   * Headers of `from`…`to`, joined by parent hash; shorter where the node does not have the later ones yet. Throws InconsistentResponseError if
   * those near the last final block are not of the chain that is final.
   */
  headers(from: bigint, to: bigint, signal?: AbortSignal): Promise<Header[]>
  /**
   * Headers of blocks that need not be neighbours, in the order given. If a block is named by its hash too, only the one with that hash
   * counts. Throws InconsistentResponseError if no node has one of them.
   */
  headersOf(blocks: readonly NamedBlock[], signal?: AbortSignal): Promise<Header[]>
  /** The header of a block of the chain by its hash; undefined if there is none, or where a reorganisation undid it. */
  headerByHash(hash: Hex, signal?: AbortSignal): Promise<Header | undefined>
  /**
   * Logs of blocks `from`…`to`, or of a shorter prefix: `to` of the answer says how far it goes and `toHash` is the hash of
   * that block, read together with the logs from one backend. In order of (block, log index), none twice, none of another
   * address, topic or block. Meant for finalized blocks; above them the caller compares every block hash with those it
   * follows (each log's own, and `toHash`), since the chain may have moved. `decoder` may make something else of the logs in another thread:
   * the answer has `decoded` then, and no logs.
   */
  logs<T = never>(
    range: LogRange,
    signal?: AbortSignal,
    decoder?: LogDecoder<T>,
  ): Promise<{ logs: RpcLog[]; to: bigint; toHash: Hex; decoded?: DecodedLogs<T> | undefined }>
  /**
   * Logs of one block by its hash, of all addresses. Complete for `watched` addresses, and for all if `topics` is empty. If the block's bloom shows
   * that the answer may lack logs, the block's receipts decide. Throws BlockUnsettledError while no node can settle it. `watchedList`: the same
   * addresses, one by one. `parties`: topics of addresses; complete, too, for logs with one of these.
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
  /** Every transaction of a block by its hash, in order; throws BlockUnsettledError while no node gives all of them. */
  transactions(header: Header, signal?: AbortSignal): Promise<RpcTransaction[]>
  /** The receipt of every transaction of a block, in order; throws BlockUnsettledError while no node gives all of them. */
  receipts(header: Header, signal?: AbortSignal): Promise<RpcReceipt[]>
  /**
   * Internal transactions of a block, from `trace_block` or `callTracer`. Throws TracesUnavailableError if the nodes offer neither,
   * BlockUnsettledError while no node returns the traces of all transactions.
   */
  internalTransfers(header: Header, signal?: AbortSignal): Promise<InternalTransfer[]>
  /** Who sent the transactions with these hashes, in their order; null: no node has the transaction. */
  senders(hashes: readonly Hex[], signal?: AbortSignal): Promise<(Address | null)[]>
  /** Native balances after a block, in the order of the addresses. */
  balances(header: Header, addresses: readonly Address[], signal?: AbortSignal): Promise<bigint[]>
  /** Drops what is remembered of earlier answers, which may be of another chain. Omitted where nothing is remembered. */
  forget?(): void
  close(): Promise<void>
}
