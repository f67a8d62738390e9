import type { HeadAge } from '../sync/headAge.ts'
import type { Address, Hex } from '../util/hex.ts'
import type { HeldDocuments, HeldTokens, RecordOptions } from './query.ts'

/** A block that a chain was followed to. */
export type FollowedBlock = { number: bigint; hash: Hex }

/** How far the tables of wallets have followed a chain. What is read of them afterwards has at least that. */
export type WalletState = {
  /** Collections of which the tables hold what is indexed. */
  collections: number
  /** All transfers of these collections up to this block are in the tables; null: there is no such block. */
  toBlock: bigint | null
  /** Of how many of these collections something is omitted. */
  incomplete: number
  /** The block up to which the live ones of these collections are followed; null: none is live. */
  block: FollowedBlock | null
  headBlock: bigint | null
  /** null while no node of the chain was ever queried. */
  head: HeadAge | null
  /**
   * Every collection of the chain is indexed, and the tables have all up to the head last seen, which was confirmed lately. A chain without
   * collections has nothing to lack.
   */
  synced: boolean
}

/**
 * A wallet whose history is read over all contracts of its chain. Once that was `complete`, its own rows show what it has of every contract that indexes its
 * addresses; before, they show what it has of contracts that are no collections.
 */
export type WholeWallet = { partition: number; id: bigint; complete: boolean }

/** How far a wallet is indexed over all contracts. */
export type WholeState = WholeWallet & {
  status: 'queued' | 'syncing' | 'live' | 'failed' | 'idle' | 'full'
  /** Why it is not live, as readable text. */
  reason: string | null
  /** The last request was noted a while ago. */
  isAskedLongAgo: boolean
  fromBlock: bigint | null
  toBlock: bigint | null
  /** Covered part of the chain, 0 to 1. */
  progress: number
  /** Logs with too many tokens, whose transfers are skipped. */
  wideLogs: bigint
  transfers: bigint
  /** The block up to which it is followed; null: it is not live. */
  block: FollowedBlock | null
  headBlock: bigint | null
  head: HeadAge | null
  synced: boolean
}

/** contract: by address, descending; acquired: last received first. */
export type WholeOrder = 'contract' | 'acquired'

/** The tokens of a whole wallet that are requested. */
export type WholeFilter = {
  chainId: bigint
  wallet: Address
  of: WholeWallet
  /** The only contracts whose tokens are wanted; null: those of all. */
  contracts: readonly Address[] | null
  excludeSpam: boolean
  /** Only tokens of contracts that count as spam. */
  onlySpam?: boolean
  /** The block at whose end the wallet is requested; null: now. */
  asOf: bigint | null
}

/** `acquired`: with when the wallet got the tokens. */
export type WholePageOptions = { limit: number; order: WholeOrder; acquired: boolean }

/** A token of a whole wallet: its contract and its hash; in the order of receipts with the position of its own, in digits. */
export type WholePlace = { contract: Address; hash: string; received?: string }

/** Tokens of a whole wallet, by contract, descending, and in it by token hash, descending; or the last received first. */
export type WholeTokens = Pick<WalletTokens, 'held' | 'mark'> & {
  next: WholePlace | null
  placeOf(of: HeldTokens, hash: string): WholePlace
}

/** A contract of a whole wallet; in the order of receipts with the position of the last one, in digits. */
export type WholeContractPlace = { contract: Address; received?: string }

/** Collections of a whole wallet, by address, descending, or the one whose tokens were received last first. `next`: after which the next page begins. */
export type WholeCollections = { collections: WalletCollection[]; next: WholeContractPlace | null }

/** A collection that an answer on a wallet covers. */
export type CoveredCollection = { partition: number; id: bigint }

/** The tokens of a wallet that are requested. */
export type WalletFilter = {
  chainId: bigint
  wallet: Address
  /** Ids of the only collections whose tokens are wanted; null: those of all. */
  only: readonly bigint[] | null
  excludeSpam: boolean
  /** Only tokens of collections that count as spam. */
  onlySpam?: boolean
}

/** A token of a wallet: its collection, in digits, and its hash. */
export type WalletPlace = { collection: string; hash: string }

/** Tokens of a wallet, by their collections, the one last requested first, and in these by token hash descending. */
export type WalletTokens = {
  held: HeldTokens[]
  /** A text that is another one wherever the records of these tokens may be. */
  mark: string
  /** How many tokens the wallet has, where they were counted with the page. */
  total: number | null
  /** Where the next page begins; null: there is none. A page may hold fewer tokens than requested, even none, and another one follow. */
  next: WalletPlace | null
  /** The metadata of those tokens whose bytes are reported, as they were read with these; null: they were not. */
  documents: HeldDocuments | null
}

/** `whole`: reads the metadata of tokens with them, for records of these members; null: where the page may be known already. */
export type WalletPageOptions = {
  limit: number
  whole: Pick<RecordOptions, 'normalized' | 'media' | 'details' | 'failures'> | null
  /** Counts all tokens of the wallet by the same statement; of a list with filters they are not counted. */
  counted?: boolean
}

/** A collection of which a wallet holds tokens. */
export type WalletCollection = {
  address: Address
  standard: 'ERC721' | 'ERC1155' | null
  name: string | null
  symbol: string | null
  possibleSpam: boolean
  verified: boolean
  /** Tokens of it that the wallet holds. */
  tokens: bigint
  /** Pieces of all of these, where they were added up with the page. */
  pieces?: string
}

/** What a wallet holds of one collection. */
export type WalletHolding = {
  /** The first of its tokens in the order of pages, 32 hex digits, and how many pieces of it the wallet has. */
  hash: string
  amount: string
  /** Pieces of all of its tokens; null: the tokens are too many to add up. */
  pieces: string | null
}

/** `next`: the id of the collection after which the next page begins. */
export type WalletCollections = { collections: WalletCollection[]; next: string | null }

/** Returns what wallets hold over all contracts of a chain. */
export type WholeWalletQuery = {
  /** undefined: nobody requested the wallet yet. */
  state(chainId: bigint, wallet: Address): Promise<WholeState | undefined>
  tokens(filter: WholeFilter, after: WholePlace | null, options: WholePageOptions): Promise<WholeTokens>
  /** The hash of a block up to which the wallet is covered. Throws UnavailableError. */
  blockHash(of: WholeWallet, chainId: bigint, number: bigint): Promise<Hex>
  collections(
    filter: Omit<WholeFilter, 'contracts'>,
    after: WholeContractPlace | null,
    options: Pick<WholePageOptions, 'limit' | 'order'>,
  ): Promise<WholeCollections>
  /** The first token of each of these contracts that the wallet holds any of. */
  firstTokens(filter: WholeFilter & { contracts: readonly Address[] }): Promise<HeldTokens[]>
  /** How many tokens, and of how many contracts. */
  count(filter: WholeFilter): Promise<{ tokens: number; collections: number }>
}

/** Returns what wallets hold. */
export type WalletQuery = {
  state(chainId: bigint): Promise<WalletState>
  /** Whether no reorganisation undid the block; what was read and answered before this call holds then. */
  isFollowed(chainId: bigint, block: FollowedBlock): Promise<boolean>
  /** The block before the first one whose transfers of these collections are not in the tables yet; null: the tables have all of them. */
  reached(collections: readonly CoveredCollection[]): Promise<bigint | null>
  tokens(filter: WalletFilter, after: WalletPlace | null, options: WalletPageOptions): Promise<WalletTokens>
  collections(filter: Omit<WalletFilter, 'only'>, after: string | null, limit: number): Promise<WalletCollections>
  /** What the wallet holds of these collections, by their ids. */
  holdings(
    wallet: Pick<WalletFilter, 'chainId' | 'wallet'>,
    ids: readonly bigint[],
  ): Promise<Map<bigint, WalletHolding>>
  /** How many tokens, and of how many collections. */
  count(filter: WalletFilter): Promise<{ tokens: number; collections: number }>
}
