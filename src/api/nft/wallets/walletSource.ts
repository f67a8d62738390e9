import type { HeldMetadata, HeldTokens } from '../../../nft/query.ts'
import type { TransferSource } from '../../../nft/transferQuery.ts'
import type {
  WalletCollections,
  WalletFilter,
  WalletPageOptions,
  WalletPlace,
  WalletQuery,
  WholeContractPlace,
  WholeFilter,
  WholeOrder,
  WholePageOptions,
  WholePlace,
  WholeWallet,
  WholeWalletQuery,
} from '../../../nft/walletQuery.ts'
import { ConflictError } from '../../../util/errors.ts'
import type { Address, Hex } from '../../../util/hex.ts'
import { NotCoveredError } from '../../http/errors.ts'
import { fault } from '../../http/parseQuery.ts'
import type { ReportedStatus } from '../collections/reportCollection.ts'
import { type WalletCoverage, wholeCoverage } from './answerWallet.ts'

/**
 * Where a page of a wallet's tokens begins. Over all contracts the order is by contract, over collections by collection
 * id.
 */
export type TokenPlace = WalletPlace | WholePlace

/** Tokens of a wallet's page, from either source. */
export type FoundTokens = {
  held: HeldTokens[]
  mark: string
  next: TokenPlace | null
  /** Number of the wallet's tokens, if it was counted with the page. */
  total: number | null
  metadata: HeldMetadata | null
  placeOf: (of: HeldTokens, hash: string) => TokenPlace
}

const noTokens: FoundTokens = {
  ...{ held: [], mark: '', next: null, total: null, metadata: null },
  placeOf: ({ address }, hash) => ({ contract: address, hash }),
}

type Queries = { wallets: WalletQuery; whole: WholeWalletQuery }

/** Selection of a wallet's tokens. */
type RequestedTokens = {
  chainId: bigint
  wallet: Address
  addresses: readonly Address[] | null
  excludeSpam: boolean
  onlySpam?: boolean
  bySpam?: boolean
  asOf: bigint | null
}

type Requested = RequestedTokens & {
  /** Counts all tokens with the page, if that costs less than a separate statement. */
  counted?: boolean
  after: TokenPlace | null
  limit: number
  metadata: WalletPageOptions['metadata']
} & Pick<WholePageOptions, 'order' | 'acquired'>

const wholeFilter = (
  { chainId, wallet, addresses, excludeSpam, onlySpam = false, bySpam = false, asOf }: RequestedTokens,
  of: WholeWallet,
): WholeFilter => ({ chainId, wallet, of, contracts: addresses, excludeSpam, onlySpam, bySpam, asOf })

const indexedFilter = (
  { chainId, wallet, excludeSpam, onlySpam = false }: RequestedTokens,
  { only }: Extract<WalletCoverage, { scope: 'indexed' }>,
): WalletFilter => ({ chainId, wallet, only: only?.map(({ id }) => id) ?? null, excludeSpam, onlySpam })

/** Number of matching tokens of a wallet. */
export async function countTokens(
  { wallets, whole }: Queries,
  coverage: WalletCoverage,
  requested: RequestedTokens,
): Promise<{ tokens: number }> {
  if (coverage.scope === 'indexed') return wallets.count(indexedFilter(requested, coverage))
  return coverage.whole ? whole.count(wholeFilter(requested, coverage.whole)) : { tokens: 0 }
}

/** The tokens of a page, and a function that counts all. Over all contracts, the coverage becomes that of the moment of the tokens. */
export async function readTokens(
  queries: Queries,
  coverage: WalletCoverage,
  requested: Requested,
): Promise<{ found: FoundTokens; count: () => Promise<{ tokens: number }> }> {
  const { counted = false, after, limit, metadata, order, acquired } = requested
  const count = () => countTokens(queries, coverage, requested)
  if (coverage.scope === 'chain') {
    if (!coverage.whole) return { found: noTokens, count }
    const place = ofScope(after, 'contract')
    const readAt = performance.now()
    const { state, ...found } = await queries.whole.tokens(wholeFilter(requested, coverage.whole), place, {
      ...{ order, acquired, limit, metadata },
    })
    Object.assign(coverage, wholeCoverage(state, readAt))
    // Rows of a wallet that is being removed are not shown.
    return { found: state ? { ...noTokens, ...found } : noTokens, count }
  }
  const form = { limit, metadata, counted }
  const found = await queries.wallets.tokens(indexedFilter(requested, coverage), ofScope(after, 'collection'), form)
  const placeOf = ({ state }: HeldTokens, hash: string) => ({ collection: String(state.id), hash })
  return { found: { ...found, placeOf }, count }
}

/** Number of tokens on a page. */
export const sizeOf = ({ held }: Pick<FoundTokens, 'held'>): number =>
  held.reduce((sum, { hashes }) => sum + hashes.length, 0)

/** A page of a wallet's collections, as `readTokens`. */
export async function readCollections(
  { wallets, whole }: Queries,
  coverage: WalletCoverage,
  {
    after,
    limit,
    order = 'contract',
    ...requested
  }: Pick<Requested, 'chainId' | 'wallet' | 'excludeSpam' | 'onlySpam' | 'bySpam' | 'limit' | 'asOf'> & {
    after: string | null
    order?: WholeOrder
  },
): Promise<{ found: WalletCollections; count: () => Promise<number> }> {
  if (coverage.scope === 'indexed') {
    if (after?.startsWith('0x')) throw otherScope()
    const found = await wallets.collections(requested, after, limit)
    return { found, count: async () => (await wallets.count({ ...requested, only: null })).collections }
  }
  if (after !== null && !after.startsWith('0x')) throw otherScope()
  if (!coverage.whole) return { found: { collections: [], next: null }, count: async () => 0 }
  const readAt = performance.now()
  const place = after === null ? null : contractPlaceIn(after)
  const page = await whole.collections({ ...requested, of: coverage.whole }, place, { limit, order })
  const { collections, next, state } = page
  const found = state ? { collections, next: next && textOfContract(next) } : { collections: [], next: null }
  const count = async () => (state ? (await whole.count({ ...requested, of: state, contracts: null })).collections : 0)
  Object.assign(coverage, wholeCoverage(state, readAt))
  return { found, count }
}

/** A place in the contracts of a whole wallet, as text for cursors. */
const textOfContract = ({ contract, received, since }: WholeContractPlace) =>
  [contract, received, since].filter((part) => part !== undefined).join(' ')

function contractPlaceIn(text: string): WholeContractPlace {
  const [contract, received, since] = text.split(' ') as [Address, string?, string?]
  return { contract, ...(received !== undefined && { received }), ...(since !== undefined && { since }) }
}

function ofScope<Name extends 'contract' | 'collection'>(after: TokenPlace | null, name: Name) {
  if (after !== null && !(name in after)) throw otherScope()
  return after as Extract<TokenPlace, Record<Name, unknown>> | null
}

/** The setting changed after the walk began. */
const otherScope = () =>
  fault('cursor', 'is from before chains.NAME.wallets was changed; allowed: restarting without a cursor')

/** The requested block. */
export type WalletAsOf = { block: bigint; hash: Hex }

/**
 * The block of `as_of_block` with its hash; null if none is requested. Throws NotCoveredError if the wallet's state at
 * the block is not known. Throws ConflictError if the previous page had another block of that number.
 */
export async function readWalletAsOf(
  whole: WholeWalletQuery,
  coverage: WalletCoverage,
  requested: { chainId: bigint; number: number | null; hash: Hex | null },
): Promise<WalletAsOf | null> {
  const { chainId, number, hash: before } = requested
  if (number === null) return null
  if (coverage.scope === 'indexed')
    throw fault('as_of_block', 'needs an answer over all contracts; allowed: on chains whose x-index-scope is chain')
  const block = BigInt(number)
  const { whole: state } = coverage
  const last = state?.complete ? state.toBlock : null
  if (!state || last === null || block > last) {
    const allowed = last === null ? 'none yet, as the history of the wallet is being read' : `a block from 0 to ${last}`
    const { headers } = coverage.report.at(performance.now())
    throw new NotCoveredError(`as_of_block is ${number}, a block whose state is not known; allowed: ${allowed}`, {
      // As for a collection that does not cover the block: without scope.
      headers: headers.filter((_, i) => headers[i - (i % 2)] !== 'x-index-scope'),
    })
  }
  const hash = await whole.blockHash(state, chainId, block)
  if (before !== null && before !== hash)
    throw new ConflictError(
      `cursor belongs to block ${number} with the hash ${before}, which a reorganisation replaced by ${hash}; restart without a cursor`,
      { details: { parameter: 'cursor' } },
    )
  return { block, hash }
}

/** The headers of an answer at the end of a block. */
export function reportedAsOf(reported: ReportedStatus, asOf: WalletAsOf | null): ReportedStatus {
  return asOf === null ? reported : { ...reported, headers: [...reported.headers, 'x-as-of-block-hash', asOf.hash] }
}

/** Source of a wallet's transfers; undefined: nothing is known of the wallet yet. */
export function transfersSource(
  coverage: WalletCoverage,
  { chainId, wallet, addresses }: { chainId: bigint; wallet: Address; addresses: readonly Address[] | null },
): TransferSource | undefined {
  if (coverage.scope === 'indexed')
    return { of: 'wallet', chainId, wallet, ...(coverage.only && { only: coverage.only }) }
  return coverage.whole && { of: 'wholeWallet', chainId, wallet, whole: coverage.whole, contracts: addresses }
}
