import type { HeadAge } from '../sync/headAge.ts'
import type { Address, Hex } from '../util/hex.ts'
import type { TraitFilter, TraitPage, TraitPlace } from './traits.ts'

/**
 * Status of a collection. `none`: its contract has no NFTs; with a reason, that is not certain yet. `nocode`: there is no contract at the address.
 */
export type CollectionStatus = (typeof collectionStatuses)[number]

export const collectionStatuses = ['queued', 'syncing', 'live', 'none', 'nocode', 'failed'] as const

/** Orders of discovered contracts: by the time of their first block, or by the transfers of the last day. Both descend. */
export type DiscoveredOrder = (typeof discoveredOrders)[number]

export const discoveredOrders = ['first_seen', 'activity'] as const

export type SkippedCounts = { oversizedLogs: bigint; overLimitTransfers: bigint }

/** A collection and its chain at one moment. */
export type CollectionState = {
  /** Why it counts as spam or not; omitted if records do not show it. */
  spam?: { score: number; reasons: readonly string[] } | undefined
  /** Changes with every restore of the database; ids and versions are comparable only within one epoch. */
  epoch: string
  partition: number
  id: bigint
  status: CollectionStatus
  /** Why it failed, or why nothing is known of it yet, as readable text; else null. */
  reason: string | null
  /** Next retry after a failure, in Unix milliseconds; null: no automatic retry. */
  retryAt: number | null
  /** Last check of its contract, in Unix milliseconds. */
  checkedAt: number | null
  /** When a request may have its contract checked again, in Unix milliseconds; null: never. */
  lookAgainAt: number | null
  /** Omissions: logs with too many tokens, and transfers beyond `sync.maxTokens`. */
  skipped: SkippedCounts
  /** The standard by the contract's claim, or by its first log. */
  standard: 'ERC721' | 'ERC1155' | null
  /** It may also have tokens of the other standard: each token has its own. */
  mixed: boolean
  name: string | null
  symbol: string | null
  /** Number of listed tokens. */
  tokens: bigint
  /** Incremented by every change that a page could show. */
  version: bigint
  /** The version and the block of the state. Pages are of the same block, or throw CollectionMovedError; null: they may be of a later one. */
  syncPosition: string | null
  fromBlock: bigint | null
  /** The last block up to which everything from `fromBlock` is covered. */
  toBlock: bigint | null
  headBlock: bigint | null
  /** null if no node of the chain was ever queried. */
  head: HeadAge | null
  /** Ownership covers every block up to the last seen head, which was confirmed recently. */
  synced: boolean
  /** Covered part of `fromBlock`…`headBlock`, 0 to 1. */
  progress: number
  /** Fraction of the tokens with at least one metadata attempt, 0 to 1. */
  metadataProgress: number
  /** Number of tokens ranked by rarity; null: not ranked yet. */
  rarityDocuments: bigint | null
  /** Longest metadata of a token in a record so far, in characters. */
  metadataLongest: number
  possibleSpam: boolean
  verified: boolean
}

/** A part of a collection, by token hash: `from` inclusive, `to` exclusive, 32 hex digits; null: no bound. */
export type HashRange = { from: string | null; to: string | null }

/** Options of a record. */
export type RecordOptions = {
  /** Token ids in hex. */
  hex: boolean
  /** With `normalized_metadata`. */
  normalized: boolean
  /**
   * With `media`; the first request starts its previews. `details`: with size, duration and animation; `kept`: only known details; `file`: with the
   * kept file.
   */
  media: boolean
  details?: boolean | 'kept' | 'file'
  /** With `rarity_rank` and `rarity_percentage`; the first request starts the ranking. */
  rarity?: boolean
  /** With `spam_score` and `spam_reasons`. */
  spam?: boolean
  /** With the reasons for missing metadata, for records in parts. */
  failures?: boolean
  /** False: attributes are not shown, so trait counts are not read. */
  counted?: boolean
}

/** Options for records of several collections: rarity ranks are within one. */
export type ListedOptions = Omit<RecordOptions, 'rarity'>

/** Most bytes of metadata on one page, unless a single record has more. */
export const mostPageBytes = 16_777_216

export type PageOptions = {
  state: CollectionState
  address: Address
  range: HashRange
  /** Tokens below this hash (32 hex digits), that of the previous page's last token; null on the first page. */
  after: string | null
  limit: number
  /** Only tokens that match this filter; null: all. */
  traits?: TraitFilter | null
} & RecordOptions

/** Tokens in id order. */
export type IdPageOptions = {
  state: CollectionState
  address: Address
  /** Tokens with a greater id; null: all. */
  after: bigint | null
  limit: number
} & RecordOptions

/** `last`: the last scanned id if more may follow, else null. A page may have fewer records than its limit. */
export type IdPage = { records: ListedRecords; count: number; last: bigint | null }

/** Records as JSON separated by commas, by token hash descending. */
export type Records = {
  /** The records between the two texts. May be called once, as the memory is reused afterwards. */
  toBuffer(before?: string, after?: string): Buffer
}

/**
 * A record in parts, for APIs with another format. Texts are JSON in UTF-8 with a character per byte (latin1), to be copied without decoding or
 * parsing.
 */
export type RecordParts = {
  address: Address
  state: ShownCollection
  token: {
    /** Decimal digits. */
    token_id: string
    token_hash: string
    minter_address: Address | null
    block_number_minted: string
    amount: string
    contract_type: 'ERC721' | 'ERC1155'
  }
  /** The fields token_uri, metadata, last_token_uri_sync and last_metadata_sync, in this order. */
  metadataMembers: string
  /** Why there is no metadata, as JSON; null: there is some, or it was not requested. */
  failure: string | null
  /** Normalized metadata with slots in its attributes; null: none, or not requested. */
  normalized: string | null
  /** null: no thumbnail, or not requested. */
  media: string | null
}

/** Records from any place. Only one of the methods may be called, once. */
export type ListedRecords = Records & {
  /** The records in parts, in order. */
  parts(): RecordParts[]
}

/** Facts of a collection in records of its tokens. */
export type ShownCollection = Pick<
  CollectionState,
  'epoch' | 'partition' | 'id' | 'name' | 'symbol' | 'metadataLongest' | 'possibleSpam' | 'verified' | 'spam'
>

/** A requested token. */
export type RequestedToken = { state: CollectionState; address: Address; tokenId: bigint }

/** An address's tokens of a collection. */
export type HeldTokens = {
  state: ShownCollection
  address: Address
  holder: Address
  /** 32 hex digits each. */
  hashes: string[]
  /** The token rows, as `tokenBytes`, with the holder as owner and the holder's amounts. */
  bytes: Buffer
  /** When the holder last received each from somebody else; omitted: not requested. */
  acquired?: OriginBlock[]
  /** Additional fields of each record, as JSON with a leading comma; omitted: none. */
  members?: Buffer[]
}

/** A block with a transfer. `time`: ISO 8601; null if no node returns it now. */
export type OriginBlock = { block: bigint; time: string | null }

/** Metadata of tokens as read from the database. */
export type HeldMetadata = (Buffer | null)[]

/**
 * Number of records; `last` is the hash of the last one if more follow, else null. With a filter, more may follow a short page; then `last` is the
 * hash down to which all tokens were scanned.
 */
export type Page = { records: Records; count: number; last: string | null }

/** A token (32 hex digits) and one of its holders, null: all of them: where the next page of owners begins. */
export type HolderPlace = { hash: string; holder: Address | null }

export type OwnersOptions = {
  state: CollectionState
  address: Address
  /** null: of all tokens. */
  tokenId: bigint | null
  /** null on the first page. */
  after: HolderPlace | null
  limit: number
} & RecordOptions

/** Number of records; `last` is the place of the last one if more follow, else null. */
export type OwnersPage = { records: Records; count: number; last: HolderPlace | null }

/** Counters of a collection. */
export type CollectionStatistics = {
  tokens: bigint
  /** Addresses that hold tokens, according to the wallet tables, which follow the transfers. */
  owners: bigint
  /** The first block with transfers that are not in the wallet tables; null: they are complete. */
  ownersBehindBlock: bigint | null
  transfers: bigint
}

/** Counters of a token; zeros for an unknown one. */
export type TokenStatistics = {
  /** Existing amount, in decimal. */
  amount: string
  holders: number
  transfers: number
}

export type NftQuery = {
  state(chainId: bigint, address: Address): Promise<CollectionState | undefined>
  /** Known collections among these. */
  states(chainId: bigint, addresses: readonly Address[]): Promise<Map<Address, CollectionState>>
  page(options: PageOptions): Promise<Page>
  /** The tokens of a collection in id order. */
  pageOfIds(options: IdPageOptions): Promise<IdPage>
  /** Number of listed tokens in a part of the collection; `traits`: only matching ones. */
  count(state: CollectionState, range: HashRange, traits?: TraitFilter | null): Promise<number>
  /** A record per holder of a listed token, by token hash descending, then holder. */
  owners(options: OwnersOptions): Promise<OwnersPage>
  /** Number of such records, of one token or of all. */
  countOwners(options: Pick<OwnersOptions, 'state' | 'address' | 'tokenId'>): Promise<number>
  /** undefined: the collection was removed. */
  statistics(state: CollectionState): Promise<CollectionStatistics | undefined>
  tokenStatistics(state: CollectionState, address: Address, tokenId: bigint): Promise<TokenStatistics>
  traits(options: { state: CollectionState; after: TraitPlace | null; limit: number }): Promise<TraitPage>
  /** Spam contracts of a chain, by address, at most `limit`. */
  spamContracts(chainId: bigint, limit: number): Promise<Address[]>
  /** Collections of a chain whose name or address begins with a text, then those that contain it; at most 100. */
  search(chainId: bigint, text: string): Promise<[address: Address, state: CollectionState][]>
  /** Number of values of all traits. */
  countTraits(state: CollectionState): Promise<number>
  /** One record as JSON text. */
  token(state: CollectionState, address: Address, tokenId: bigint, options: RecordOptions): Promise<Buffer | undefined>
  /**
   * Records of the listed tokens among these, in the requested order, once each. undefined: they would have more than `mostPageBytes` of metadata,
   * which a single record may. Throws CollectionMovedError if a collection is of another block than its state.
   */
  tokens(requested: readonly RequestedToken[], options: ListedOptions): Promise<ListedRecords | undefined>
  /**
   * Records of already read tokens, in the requested order. `used`: number of requested tokens that fit into `mostPageBytes` of metadata, at least
   * one. `metadata`: that of the tokens, if it was read with them.
   */
  held(
    requested: readonly HeldTokens[],
    options: ListedOptions,
    metadata?: HeldMetadata | null,
  ): Promise<{ records: ListedRecords; used: number }>
}

/** The block of a live collection's state, from its `syncPosition`; null: it is not live, or unknown. */
export function followedBlock({ syncPosition, status }: CollectionState): { number: bigint; hash: Hex } | null {
  const [, number, hash] = syncPosition?.split(' ') ?? []
  return status !== 'live' || number === undefined || hash === undefined
    ? null
    : { number: BigInt(number), hash: `0x${hash}` }
}

/** Why a collection is not synced although every known block is covered. */
export function unconfirmed(maxAgeMs: number | null): string {
  const bound = maxAgeMs === null ? 'long' : `more than ${Math.floor(maxAgeMs / 1_000)} s`
  return `no node has confirmed the head of the chain for ${bound}`
}

/** Omissions of a collection with reasons, as one line of ASCII; null: none. */
export function describeSkipped({ oversizedLogs, overLimitTransfers }: SkippedCounts): string | null {
  const parts = []
  if (oversizedLogs > 0n) parts.push(`${oversizedLogs} logs with more than 100000 tokens each`)
  if (overLimitTransfers > 0n) parts.push(`${overLimitTransfers} transfers beyond sync.maxTokens`)
  return parts.length === 0 ? null : `omitted: ${parts.join(', ')}`
}
