import type { HeadAge } from '../sync/headAge.ts'
import type { Address, Hex } from '../util/hex.ts'
import type { TraitFilter } from './traitFilter.ts'

/**
 * The state of a collection. `none`: its contract has no NFTs; where there is a reason, nothing shows yet whether it has. `nocode`: there
 * is no contract at the address.
 */
export type CollectionStatus = (typeof collectionStatuses)[number]

export const collectionStatuses = ['queued', 'syncing', 'live', 'none', 'nocode', 'failed'] as const

/** The orders of contracts that blocks showed: by the time of the block that first did, or by the transfers of the last day. Both descend. */
export type DiscoveredOrder = (typeof discoveredOrders)[number]

export const discoveredOrders = ['first_seen', 'activity'] as const

export type LeftOutCounts = { wideLogs: bigint; surplusTransfers: bigint }

/** A collection and its chain at one moment. */
export type CollectionState = {
  /** Why it counts as spam or not; omitted: records do not say. */
  spam?: { score: number; reasons: readonly string[] } | undefined
  /** Another one after every restore of the database; ids and versions may be compared only within one epoch. */
  epoch: string
  partition: number
  id: bigint
  status: CollectionStatus
  /** Why it failed, or why nothing is known of it yet, as readable text; null otherwise. */
  reason: string | null
  /** When a failed one is tried again, as Unix milliseconds; null: not by itself. */
  retryAt: number | null
  /** When its contract was last looked at, as Unix milliseconds. */
  checkedAt: number | null
  /** From when on a request has its contract looked at again, as Unix milliseconds; null: no request does. */
  lookAgainAt: number | null
  /** What its tables omit: logs that name too many tokens, and transfers beyond `sync.maxTokens`. */
  leftOut: LeftOutCounts
  /** The standard that the contract claims, or that its first log shows. */
  standard: 'ERC721' | 'ERC1155' | null
  /** It may have tokens of the other standard too: each token says which one it follows. */
  mixed: boolean
  name: string | null
  symbol: string | null
  /** Tokens listed. */
  tokens: bigint
  /** Raised by every change that a page could show. */
  version: bigint
  /**
   * The version and the block that the state is of. Pages are of the same block, or throw CollectionMovedError;
   * null: they may be of a later one.
   */
  standing: string | null
  fromBlock: bigint | null
  /** The block up to which all from `fromBlock` on are covered. */
  toBlock: bigint | null
  headBlock: bigint | null
  /** null while no node of the chain was ever queried. */
  head: HeadAge | null
  /** Ownership covers every block up to the head last seen, and that was confirmed lately. */
  synced: boolean
  /** Covered part of `fromBlock`…`headBlock`, 0 to 1. */
  progress: number
  /** Part of the tokens whose metadata was tried once at least, 0 to 1. */
  metadataProgress: number
  /** Number of tokens ranked by rarity; null: not ranked yet. */
  rarityDocuments: bigint | null
  /** Most characters that the metadata of one of its tokens ever took in a record. */
  metadataLongest: number
  possibleSpam: boolean
  verified: boolean
}

/** A part of a collection, by token hash: `from` inclusive, `to` exclusive, 32 hex digits; null: no bound. */
export type HashRange = { from: string | null; to: string | null }

/** How a record is written. */
export type RecordOptions = {
  /** Token ids in hex. */
  hex: boolean
  /** With `normalized_metadata`. */
  normalized: boolean
  /** With `media`, whose first request has it made; `details`: with size, duration and animation; `kept`: those that are known; `file`: with the kept file. */
  media: boolean
  details?: boolean | 'kept' | 'file'
  /** With `rarity_rank` and `rarity_percentage`; the first request has the tokens ranked. */
  rarity?: boolean
  /** With `spam_score` and `spam_reasons`. */
  spam?: boolean
  /** With why tokens have no metadata, for records in parts. */
  failures?: boolean
  /** False: attributes are not shown, so the counts of their traits are not read. */
  counted?: boolean
}

/** Those of records of several collections: places by rarity are requested within one. */
export type ListedOptions = Omit<RecordOptions, 'rarity'>

/** Most bytes of metadata on one page, unless a single record holds more. */
export const mostPageBytes = 16_777_216

export type PageOptions = {
  state: CollectionState
  address: Address
  range: HashRange
  /** Tokens below this hash (32 hex digits), from the last one of the page before; null on the first page. */
  after: string | null
  limit: number
  /** Only these tokens; null: all. */
  traits?: TraitFilter | null
} & RecordOptions

/** Tokens in the order of their ids. */
export type IdPageOptions = {
  state: CollectionState
  address: Address
  /** Tokens with a greater id; null: all. */
  after: bigint | null
  limit: number
} & RecordOptions

/** `last`: the id up to which all tokens were looked at where more may follow, else null. A page may have fewer records than its limit. */
export type IdPage = { records: ListedRecords; count: number; last: bigint | null }

/** Records as JSON text with commas between them, in order of token hash descending. */
export type Records = {
  /** The records between the two texts. May be called once, as the memory that they were read into is then used for others. */
  toBuffer(before?: string, after?: string): Buffer
}

/**
 * A record in parts, for an API that writes it in another form. Texts are JSON in UTF-8, a character for each byte (latin1): they are copied,
 * neither decoded nor parsed.
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
  /** The members token_uri, metadata, last_token_uri_sync and last_metadata_sync, in this order. */
  document: string
  /** Why there is no metadata, as text of JSON; null: there is some, or it was not requested. */
  failure: string | null
  /** The normalised form, with slots in its attributes; null: there is no metadata, or it was not requested. */
  normalized: string | null
  /** null: no thumbnail, or it was not requested. */
  media: string | null
}

/** Records that are of any place, of which either method may be called, once. */
export type ListedRecords = Records & {
  /** The records in parts, in their order. */
  parts(): RecordParts[]
}

/** What records show of the collection of their tokens. */
export type ShownCollection = Pick<
  CollectionState,
  'epoch' | 'partition' | 'id' | 'name' | 'symbol' | 'metadataLongest' | 'possibleSpam' | 'verified' | 'spam'
>

/** A token that is requested. */
export type AskedToken = { state: CollectionState; address: Address; tokenId: bigint }

/** Tokens of a collection that an address holds. */
export type HeldTokens = {
  state: ShownCollection
  address: Address
  holder: Address
  /** 32 hex digits each. */
  hashes: string[]
  /** How many pieces of each the holder has. */
  amounts: string[]
  /** The tokens themselves, as `tokenBytes` has them, with their holder as the owner; null: their own rows show. */
  bytes: Buffer | null
  /** When the holder last got some of each from somebody else; omitted: it was not requested. */
  acquired?: OriginBlock[]
  /** Further members of the record of each, as JSON text with a comma before them; omitted: there are none. */
  members?: Buffer[]
}

/** A block with a transfer. `time`: ISO 8601; null if no node shows it at the moment. */
export type OriginBlock = { block: bigint; time: string | null }

/** Metadata of tokens as the database gave them. */
export type HeldDocuments = (Buffer | null)[]

/**
 * How many records there are; `last` is the token hash of the last one where more follow, else null. With a filter more may follow a page
 * that has fewer records than its limit, and then `last` is the hash down to which all tokens were looked at.
 */
export type Page = { records: Records; count: number; last: string | null }

/** A token, 32 hex digits, and one of those who hold it, null: all of them: after whom the next page of owners begins. */
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

/** How many records there are; `last` is the place of the last one if more follow, else null. */
export type OwnersPage = { records: Records; count: number; last: HolderPlace | null }

/** Counters of a collection. */
export type CollectionStatistics = {
  tokens: bigint
  /** Addresses that hold tokens, as far as the tables of wallets are; they follow the transfers. */
  owners: bigint
  /** The first block of which they do not have all transfers yet; null: they have all that are stored. */
  ownersBehindBlock: bigint | null
  transfers: bigint
}

/** Counters of a token; zeros where it is not known. */
export type TokenStatistics = {
  /** Pieces in existence, in decimal digits. */
  amount: string
  holders: number
  transfers: number
}

/** A trait that tokens of a collection have. */
export type ListedTrait = {
  /** What the trait is of; null: the metadata has none. */
  type: string | null
  /** JSON text of the value. */
  value: string
  /** Tokens that have it. */
  tokens: number
  /** Tokens that have metadata, at the same moment. */
  documents: number
}

/** Where a page of traits ends: the beginnings of type and value, and the key of the trait. */
export type TraitPlace = [type: string, value: string, key: string]

/** Traits by type and value; `next`: where the next page begins, null on the last one. */
export type TraitPage = { traits: ListedTrait[]; next: TraitPlace | null }

export type NftQuery = {
  state(chainId: bigint, address: Address): Promise<CollectionState | undefined>
  /** The collections among these that are known. */
  states(chainId: bigint, addresses: readonly Address[]): Promise<Map<Address, CollectionState>>
  page(options: PageOptions): Promise<Page>
  /** The tokens of a collection in the order of their ids. */
  pageOfIds(options: IdPageOptions): Promise<IdPage>
  /** Tokens listed in a part of the collection; `traits`: of these only. */
  count(state: CollectionState, range: HashRange, traits?: TraitFilter | null): Promise<number>
  /** A record for each holder of a listed token, in order of token hash descending, then of holder. */
  owners(options: OwnersOptions): Promise<OwnersPage>
  /** How many such records there are, of one token or of all. */
  countOwners(options: Pick<OwnersOptions, 'state' | 'address' | 'tokenId'>): Promise<number>
  /** undefined: the collection was removed. */
  statistics(state: CollectionState): Promise<CollectionStatistics | undefined>
  tokenStatistics(state: CollectionState, address: Address, tokenId: bigint): Promise<TokenStatistics>
  traits(options: { state: CollectionState; after: TraitPlace | null; limit: number }): Promise<TraitPage>
  /** Contracts of a chain that count as spam, by address, at most `limit`. */
  spamContracts(chainId: bigint, limit: number): Promise<Address[]>
  /** Collections of a chain whose name or address begins with a text, then those that have it further on; at most 100. */
  search(chainId: bigint, text: string): Promise<[address: Address, state: CollectionState][]>
  /** Values of all traits. */
  countTraits(state: CollectionState): Promise<number>
  /** One record as JSON text. */
  token(state: CollectionState, address: Address, tokenId: bigint, options: RecordOptions): Promise<Buffer | undefined>
  /**
   * The records of those tokens that are listed, in the order requested, each once. undefined: they would hold more than `mostPageBytes` of
   * metadata, which one record may. Throws CollectionMovedError if a collection is of another block than its state.
   */
  tokens(asked: readonly AskedToken[], options: ListedOptions): Promise<ListedRecords | undefined>
  /**
   * Records with `owner_of` and `amount` as requested, in the order requested; tokens that are not listed any more are omitted. `used`: of how many
   * of those requested, as all of them may hold more than `mostPageBytes` of metadata; at least the first. `count`: how many records there are.
   * `documents`: those of the tokens whose bytes are reported, where they were read with these.
   */
  held(
    asked: readonly HeldTokens[],
    options: ListedOptions,
    documents?: HeldDocuments | null,
  ): Promise<{ records: ListedRecords; count: number; used: number }>
}

/** The block that the state of a live collection is of, as its `standing` shows; null: it is not live, or does not show. */
export function followedBlock({ standing, status }: CollectionState): { number: bigint; hash: Hex } | null {
  const [, number, hash] = standing?.split(' ') ?? []
  return status !== 'live' || number === undefined || hash === undefined
    ? null
    : { number: BigInt(number), hash: `0x${hash}` }
}

/** Why a collection is not called synced although every known block is covered. */
export function unconfirmed(maxAgeMs: number | null): string {
  const bound = maxAgeMs === null ? 'long' : `more than ${Math.floor(maxAgeMs / 1_000)} s`
  return `no node has confirmed the head of the chain for ${bound}`
}

/** Omissions of a collection, with reasons, in a line of ASCII; null: none. */
export function describeLeftOut({ wideLogs, surplusTransfers }: LeftOutCounts): string | null {
  const parts = []
  if (wideLogs > 0n) parts.push(`${wideLogs} logs with more than 100000 tokens each`)
  if (surplusTransfers > 0n) parts.push(`${surplusTransfers} transfers beyond sync.maxTokens`)
  return parts.length === 0 ? null : `omitted: ${parts.join(', ')}`
}
