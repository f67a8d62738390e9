import { z } from 'zod'
import type { HeldTokens, NftQuery } from '../../../nft/query.ts'
import type { Address, Hex } from '../../../util/hex.ts'
import { choice } from '../../http/parameters.ts'
import { fault } from '../../http/parseQuery.ts'
import type { Cursors } from '../../pages/cursor.ts'
import type { ListPlace } from '../../pages/filteredList.ts'
import { asOfParameter } from '../asOf.ts'
import type { ApiChain } from '../chains.ts'
import { includeParameter, isIncluded } from '../included.ts'
import { recordPage } from '../recordPage.ts'
import { type RecordFilters, recordDefaults, recordOptions, recordParameters } from '../recordParameters.ts'
import { nftPageSchema } from '../schemas.ts'
import { contractsParameter, excludeSpamParameter, type WalletFilters } from '../walletParameters.ts'
import type { FoundTokens, TokenPlace, WalletAsOf } from './walletSource.ts'

/** Operation id in cursors, with the version of their format. */
export const walletNftsOperation = 'wallet.nfts.1'

/** Description of `as_of_block` for a wallet. */
export const walletAsOf =
  'Shows the tokens of the wallet at the end of this block, with current metadata. Only with x-index-scope chain.'

/** The query parameters of a page of a wallet's NFTs. */
export function walletNftsQuerySchema({ chains }: { chains: readonly ApiChain[] }) {
  return z.object({
    ...recordParameters({ chains, total: 'total counts the tokens of the wallet.' }),
    as_of_block: asOfParameter(walletAsOf).optional(),
    ...walletTokensShape(),
  })
}

/** Selection, order and optional fields of a wallet's tokens, on one or several chains. */
export function walletTokensShape() {
  return {
    exclude_spam: excludeSpamParameter().optional(),
    order: choice({
      description: 'acquired: the token received last comes first. Only with x-index-scope chain.',
      values: ['acquired'],
    }).optional(),
    include: includeParameter(['acquired', 'spam']).optional(),
    token_addresses: contractsParameter({
      description: 'Only tokens of these contracts; with x-index-scope indexed, new ones are indexed from now on.',
    }).optional(),
  }
}

/** Values of `walletTokensShape` in cursors. */
export type WalletTokensFilters = RecordFilters & {
  wallet: Address | ''
  exclude_spam: boolean
  /** From `packContracts`. */
  token_addresses: string | null
  order: 'acquired' | null
  /** From `packIncluded`. */
  include: string | null
}

export const walletTokensDefaults: WalletTokensFilters = {
  ...recordDefaults,
  ...{ wallet: '', exclude_spam: false, token_addresses: null, order: null, include: null },
}

export type WalletNftFilters = WalletFilters & WalletTokensFilters & { as_of_block: number | null }

export const walletNftDefaults: WalletNftFilters = { ...walletTokensDefaults, chain: '', as_of_block: null }

/**
 * Record options of a wallet's tokens. Throws BadRequestError for options that only answers over all contracts support.
 */
export function tokenForm({ order, include }: Pick<WalletTokensFilters, 'order' | 'include'>, scopes: ScopeOf[]) {
  const acquired = isIncluded(include, 'acquired')
  for (const { scope, on } of scopes)
    for (const [name, value] of Object.entries({ order, include: acquired ? 'acquired' : null }))
      if (value !== null && scope === 'indexed')
        throw fault(name, `is ${value}; allowed: only where x-index-scope is chain${on}`)
  return { order: order ?? ('contract' as const), acquired }
}

/** Format of the records. */
export const recordForm = (filters: WalletTokensFilters) => ({
  ...recordOptions(filters),
  spam: isIncluded(filters.include, 'spam'),
})

/** The scope of an answer; `on`: one of several chains. */
type ScopeOf = { scope: 'chain' | 'indexed'; on: string }

/** Where a page begins, and the count of the first page if requested. */
export type WalletAfter = TokenPlace & { total: number | null; asOfHash?: Hex }

export const walletNftPageSchema = nftPageSchema.extend({
  total: z.int().min(0).nullable().describe('Tokens of the wallet; null unless disable_total is false.'),
  result: nftPageSchema.shape.result.describe(
    'The records: owner_of is the wallet, and amount the units that it owns.',
  ),
  status: nftPageSchema.shape.status.describe(
    'SYNCED: every collection that the response covers is indexed up to the head last seen.',
  ),
})

/** Total of a walk, as counted for its first page; null: not requested. */
export async function totalOf(
  count: () => Promise<{ tokens: number }>,
  place: ListPlace<WalletNftFilters>,
): Promise<number | null> {
  if (place.filters.disable_total) return null
  return (place.after as WalletAfter | null)?.total ?? (await count()).tokens
}

/** The body of a page of a wallet's NFTs. `total`: from `totalOf`. */
export async function cutWalletPage(options: {
  nft: NftQuery
  cursors: Cursors
  place: ListPlace<WalletNftFilters>
  found: FoundTokens
  total: number | null
  asOf: WalletAsOf | null
  status: 'SYNCED' | 'SYNCING'
}): Promise<Buffer> {
  const { nft, cursors, place, found, total, asOf, status } = options
  const { filters, page } = place
  const { limit, disable_total } = filters
  const { records, used } = await nft.held(found.held.map(withAcquired), recordForm(filters), found.metadata)
  return recordPage<TokenPlace>({
    walk: { page, limit, given: place.walked, total, counts: !disable_total },
    found: { records, count: used, last: placeIn(found, used) ?? found.next },
    count: async () => total,
    sign({ after, given, total }) {
      const next: WalletAfter = { ...after, total, ...(asOf && { asOfHash: asOf.hash }) }
      return cursors.sign(walletNftsOperation, { ...place, page: page + 1, after: next, walked: given })
    },
    status,
  })
}

/** Tokens with the time of their acquisition, if requested. */
export function withAcquired(held: HeldTokens): HeldTokens {
  const members = held.acquired?.map(({ block, time }) =>
    Buffer.from(`,"acquired_at":${JSON.stringify(time)},"acquired_block":"${block}"`),
  )
  return members ? { ...held, members } : held
}

/** The place of the `used`-th token if others follow; else null. */
export function placeIn(found: Pick<FoundTokens, 'held' | 'placeOf'>, used: number): TokenPlace | null {
  let remaining = used
  let place: TokenPlace | null = null
  for (const one of found.held) {
    const last = one.hashes[Math.min(remaining, one.hashes.length) - 1]
    if (last !== undefined) place = found.placeOf(one, last)
    if (remaining < one.hashes.length) return place
    remaining -= one.hashes.length
  }
  return null
}
