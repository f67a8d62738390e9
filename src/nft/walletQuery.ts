import type { HeadAge } from '../sync/headAge.ts'
import type { Address, Hex } from '../util/hex.ts'
import type { HeldMetadata, HeldTokens, RecordOptions } from './query.ts'

/** A block of a followed chain. */
export type FollowedBlock = { number: bigint; hash: Hex }

/** Progress of the wallet tables on a chain. Later reads have at least that. */
export type WalletState = {
  /** Number of collections that the tables cover. */
  collections: number
  /** All transfers of these collections up to this block are in the tables; null: no such block. */
  toBlock: bigint | null
  /** Number of these collections with omissions. */
  incomplete: number
  /** The followed block of the live ones among them; null: none is live. */
  block: FollowedBlock | null
  headBlock: bigint | null
  /** null if no node of the chain was ever queried. */
  head: HeadAge | null
  /**
   * Every collection of the chain is indexed, and the tables are complete up to the last seen head, which was confirmed recently. A chain without
   * collections is synced.
   */
  synced: boolean
}

/**
 * A wallet that is indexed over all contracts of its chain. Once its history is `complete`, its own rows have all contracts that index its addresses.
 * Before, they have only contracts that are not collections.
 */
export type WholeWallet = {
  partition: number
  id: bigint
  complete: boolean
  /** Tables that follow collections may show some of its holdings. */
  hasTabled: boolean
  /** The block at whose end pages show the wallet, as it also has rows of later blocks; null: its rows are of `toBlock`. */
  shownAt: bigint | null
}

/** Progress of a wallet over all contracts. */
export type WholeState = WholeWallet & {
  status: 'queued' | 'syncing' | 'live' | 'failed' | 'idle' | 'full'
  /** Why it is not live, as readable text. */
  reason: string | null
  /** The last request was recorded a while ago. */
  isRequestedLongAgo: boolean
  fromBlock: bigint | null
  toBlock: bigint | null
  /** Covered part of the chain, 0 to 1. */
  progress: number
  /** Logs with too many tokens, whose transfers are skipped. */
  oversizedLogs: bigint
  transfers: bigint
  /** The followed block; null: it is not live. */
  block: FollowedBlock | null
  headBlock: bigint | null
  head: HeadAge | null
  synced: boolean
}

/** contract: by address, descending; acquired: last received first. */
export type WholeOrder = 'contract' | 'acquired'

/** Requested tokens of a whole wallet. */
export type WholeFilter = {
  chainId: bigint
  wallet: Address
  of: WholeWallet
  /** Restricts tokens to these contracts; null: all. */
  contracts: readonly Address[] | null
  excludeSpam: boolean
  /** Only tokens of spam contracts. */
  onlySpam?: boolean
  /** The caller selects from the tokens by their spam verdict, and so needs it. */
  bySpam?: boolean
  /** The block at whose end the wallet is requested; null: now. */
  asOf: bigint | null
}

/** `acquired`: with the time of acquisition. `metadata`: as in `WalletPageOptions`. */
export type WholePageOptions = {
  limit: number
  order: WholeOrder
  acquired: boolean
  metadata: WalletPageOptions['metadata']
}

/**
 * Place of a token in a whole wallet: contract and hash; in transfer order, also its position as digits. `since`: the walk has the order of this
 * position, so that a token that is received again keeps its place.
 */
export type WholePlace = { contract: Address; hash: string; received?: string; since?: string }

/** Tokens of a whole wallet, by contract, then token hash, both descending; or last received first. */
export type WholeTokens = Pick<WalletTokens, 'held' | 'mark' | 'metadata'> & {
  /** The wallet at the moment of its tokens; undefined: it was removed. */
  state: WholeState | undefined
  next: WholePlace | null
  placeOf(of: HeldTokens, hash: string): WholePlace
}

/** Place of a contract in a whole wallet; in transfer order, also the position of the last one as digits. */
export type WholeContractPlace = { contract: Address; received?: string; since?: string }

/**
 * Collections of a whole wallet, by address descending, or last received first. `next`: where the next page begins. `state`: as in `WholeTokens`.
 */
export type WholeCollections = {
  collections: WalletCollection[]
  next: WholeContractPlace | null
  state: WholeState | undefined
}

/** A collection that an answer about a wallet covers. */
export type CoveredCollection = { partition: number; id: bigint }

/** Requested tokens of a wallet. */
export type WalletFilter = {
  chainId: bigint
  wallet: Address
  /** Restricts tokens to collections with these ids; null: all. */
  only: readonly bigint[] | null
  excludeSpam: boolean
  /** Only tokens of spam collections. */
  onlySpam?: boolean
}

/** Place of a token in a wallet: its collection as digits, and its hash. */
export type WalletPlace = { collection: string; hash: string }

/** Tokens of a wallet, by collection, last requested first, then by token hash descending. */
export type WalletTokens = {
  held: HeldTokens[]
  /** A text that differs whenever the records of these tokens may differ. */
  mark: string
  /** Number of the wallet's tokens, if counted with the page. */
  total: number | null
  /** Where the next page begins; null: none. A page may be short or empty although others follow. */
  next: WalletPlace | null
  /** Metadata of the tokens whose rows are already read, if it was read with them; else null. */
  metadata: HeldMetadata | null
}

/** `metadata`: reads it with the tokens, for records with these fields; null: the page may already be cached. */
export type WalletPageOptions = {
  limit: number
  metadata: Pick<RecordOptions, 'normalized' | 'media' | 'details' | 'failures'> | null
  /** Counts all tokens of the wallet by the same statement; not for filtered lists. */
  counted?: boolean
}

/** A collection with tokens of a wallet. */
export type WalletCollection = {
  address: Address
  standard: 'ERC721' | 'ERC1155' | null
  name: string | null
  symbol: string | null
  possibleSpam: boolean
  verified: boolean
  /** Number of the wallet's tokens. */
  tokens: bigint
  /** Total amount of these, if summed with the page. */
  totalAmount?: string
}

/** Holding of a wallet in one collection. */
export type WalletHolding = {
  /** The first of its tokens in page order, 32 hex digits. */
  hash: string
  /** Its bytes, as in `HeldTokens`; null: it was burned meanwhile. */
  bytes: Buffer | null
  /** Total amount of its tokens; null: too many to sum. */
  totalAmount: string | null
}

/** `next`: id of the collection before the next page. */
export type WalletCollections = { collections: WalletCollection[]; next: string | null }

/** Reads holdings of wallets over all contracts of a chain. */
export type WholeWalletQuery = {
  /** undefined: the wallet was never requested. */
  state(chainId: bigint, wallet: Address): Promise<WholeState | undefined>
  /** The state as this process last read it; undefined: unknown. */
  lastState(chainId: bigint, wallet: Address): WholeState | undefined
  /** `filter.of` may be an earlier state, for `collections` too. */
  tokens(filter: WholeFilter, after: WholePlace | null, options: WholePageOptions): Promise<WholeTokens>
  /** The hash of a covered block. Throws UnavailableError. */
  blockHash(of: WholeWallet, chainId: bigint, number: bigint): Promise<Hex>
  collections(
    filter: Omit<WholeFilter, 'contracts'>,
    after: WholeContractPlace | null,
    options: Pick<WholePageOptions, 'limit' | 'order'>,
  ): Promise<WholeCollections>
  /** The wallet's first token in each of these contracts. */
  firstTokens(filter: WholeFilter & { contracts: readonly Address[] }): Promise<HeldTokens[]>
  /** Number of tokens, and of their contracts. */
  count(filter: WholeFilter): Promise<{ tokens: number; collections: number }>
}

/** Reads holdings of wallets. */
export type WalletQuery = {
  state(chainId: bigint): Promise<WalletState>
  /** Whether no reorg undid the block; earlier reads are valid then. */
  isFollowed(chainId: bigint, block: FollowedBlock): Promise<boolean>
  /** The block before the first one with missing transfers of these collections; null: the tables are complete. */
  reached(collections: readonly CoveredCollection[]): Promise<bigint | null>
  tokens(filter: WalletFilter, after: WalletPlace | null, options: WalletPageOptions): Promise<WalletTokens>
  collections(filter: Omit<WalletFilter, 'only'>, after: string | null, limit: number): Promise<WalletCollections>
  /** Holdings in these collections, by id. */
  holdings(
    wallet: Pick<WalletFilter, 'chainId' | 'wallet'>,
    collections: readonly CoveredCollection[],
  ): Promise<Map<bigint, WalletHolding>>
  /** Number of tokens, and of their collections. */
  count(filter: WalletFilter): Promise<{ tokens: number; collections: number }>
}
