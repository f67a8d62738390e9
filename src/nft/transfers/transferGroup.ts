import type { CopyRows } from '../../db/copyBinary.ts'
import type { Address } from '../../util/hex.ts'
import type { TransferForm } from './decodeTransfers.ts'
import { rangeOf } from './position.ts'
import { reduceTransfers, type TokenChange } from './reduceTransfers.ts'
import { isErc1155, type Transfer, zeroAddress } from './transfer.ts'
import { balanceRows, stagedRows, tokenRows, transferRows } from './transferRows.ts'

/** Key of a collection's rows, with its transfer form. */
export type CollectionKey = { partition: number; id: bigint; chainId: bigint; address: Address } & TransferForm

/** Place of a transfer in its chain. */
type Place = Pick<Transfer, 'position' | 'item'>

/** New tokens, in hash order. */
export type MintedTokens = {
  /** The hashes as PostgreSQL's list: `{aa…,bb…}`. */
  hashes: string
  /** Rows of `token`. */
  rows: CopyRows
  /** Those that are already burned. */
  burned: readonly string[]
}

/**
 * Transfers of one collection that are stored together, serialised so that a transaction only sends bytes. The transfers themselves would take three
 * times the memory.
 */
export type TransferGroup = {
  collection: CollectionKey
  /** Number of transfers. */
  count: number
  /** First and last one in chain order; undefined meaning without transfers. */
  first: Place
  last: Place
  /** Their ranges of 128 blocks. */
  ranges: readonly number[]
  /** Rows of `transfer`, of `stage_token` and of `stage_balance`. */
  transfers: CopyRows['bytes']
  staged: CopyRows['bytes']
  balances: CopyRows['bytes']
  /** Changed tokens that are probably new and not in `staged`: missing ones are inserted, which costs less than a merge. */
  minted: MintedTokens | undefined
  /** Some of the transfers are of the standard that the collection does not have. */
  hasOther: boolean
  /** Whether there are changed tokens of ERC-721, and of ERC-1155. */
  hasOwned: boolean
  hasSummed: boolean
  /** Received and burned ids; of history only `burned721`, as its tokens are all due. */
  moved: MovedIds
}

/** Ids that go to any other address than the zero address, and that go to it. `received721` and `burned721`: by ERC-721 transfers. */
export type MovedIds = Record<'received' | 'burned' | 'received721' | 'burned721', ReadonlySet<string>>

const none: ReadonlySet<string> = new Set()
const nothingMoved: MovedIds = { received: none, burned: none, received721: none, burned721: none }

/** Takes 3 µs per transfer, so it is made before a transaction if possible. `transfers`: those of a block are adjacent. */
export function transferGroup(collection: CollectionKey, transfers: readonly Transfer[]): TransferGroup {
  const received = new Set<string>()
  const burned = new Set<string>()
  const received721 = new Set<string>()
  const burned721 = new Set<string>()
  for (const transfer of transfers) {
    const { to, tokenId } = transfer
    const [of, of721] = to === zeroAddress ? [burned, burned721] : [received, received721]
    of.add(tokenId)
    if (!isErc1155(transfer)) of721.add(tokenId)
  }
  return { ...groupOf(collection, transfers, () => false), moved: { received, burned, received721, burned721 } }
}

/**
 * The same for a range of history, where many tokens are minted. An ERC-721 token whose first transfer is a mint is new, unless ranges are out of
 * order or the contract violates the standard. ERC-1155 tokens are merged, with their balances.
 */
export function historyGroup(collection: CollectionKey, transfers: readonly Transfer[]): TransferGroup {
  const group = groupOf(collection, transfers, ({ minter, summed }) => minter !== null && !summed)
  const burned = transfers.filter((transfer) => transfer.to === zeroAddress && !isErc1155(transfer))
  return { ...group, moved: { ...nothingMoved, burned721: new Set(burned.map(({ tokenId }) => tokenId)) } }
}

function groupOf(
  collection: CollectionKey,
  transfers: readonly Transfer[],
  isNew: (token: TokenChange) => boolean,
): Omit<TransferGroup, 'moved'> {
  const { tokens, balances } = reduceTransfers(collection.address, transfers)
  const added = tokens.filter(isNew)
  const merged = added.length === 0 ? tokens : tokens.filter((token) => !isNew(token))
  const isAllErc1155 = collection.standard === 'ERC1155'
  return {
    collection,
    count: transfers.length,
    ...endsOf(transfers),
    ranges: [...new Set(transfers.map(({ position }) => rangeOf(position)))],
    transfers: transferRows(collection, transfers).bytes,
    staged: stagedRows(collection, merged).bytes,
    balances: balanceRows(collection, balances).bytes,
    minted: added.length > 0 ? mintedTokens(collection, added) : undefined,
    hasOther: transfers.some((transfer) => isErc1155(transfer) !== isAllErc1155),
    hasOwned: tokens.some(({ summed }) => !summed),
    hasSummed: tokens.some(({ summed }) => summed),
  }
}

function mintedTokens(collection: CollectionKey, tokens: readonly TokenChange[]): MintedTokens {
  return {
    hashes: `{${tokens.map(({ hash }) => hash).join(',')}}`,
    rows: tokenRows(collection, tokens),
    burned: tokens.flatMap(({ hash, amount }) => (amount > 0n ? [] : [hash])),
  }
}

function isBefore(a: Place, b: Place): boolean {
  return a.position < b.position || (a.position === b.position && a.item < b.item)
}

function endsOf(transfers: readonly Transfer[]): { first: Place; last: Place } {
  const any: Place = transfers[0] ?? { position: 0, item: 0 }
  let [first, last] = [any, any]
  for (const transfer of transfers) {
    if (isBefore(transfer, first)) first = transfer
    if (isBefore(last, transfer)) last = transfer
  }
  const placeOf = ({ position, item }: Place) => ({ position, item })
  return { first: placeOf(first), last: placeOf(last) }
}

export function byAddress<T extends { address: Address }>(collections: readonly T[]): Map<Address, T> {
  return new Map(collections.map((collection) => [collection.address, collection]))
}

/** Most transfers merged at once, which bounds memory for any range or block. */
export const chunkSize = 50_000
