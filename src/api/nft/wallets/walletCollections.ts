import { z } from 'zod'
import type { WalletCollection, WalletCollections } from '../../../nft/walletQuery.ts'
import type { Hex } from '../../../util/hex.ts'
import { flag } from '../../http/parameters.ts'
import type { Cursors } from '../../pages/cursor.ts'
import type { ListPlace } from '../../pages/filteredList.ts'
import { asOfParameter } from '../asOf.ts'
import type { ApiChain } from '../chains.ts'
import { recordPage } from '../recordPage.ts'
import { nftPageSchema, nftSchema } from '../schemas.ts'
import { excludeSpamParameter, type WalletFilters, walletListShape } from '../walletParameters.ts'
import { walletAsOf } from './walletPages.ts'
import type { WalletAsOf } from './walletSource.ts'

/** Operation id in cursors, with the version of their format. */
export const walletCollectionsOperation = 'wallet.collections.1'

/** The query parameters of a page of a wallet's collections. */
export function walletCollectionsQuerySchema({ chains }: { chains: readonly ApiChain[] }) {
  return z.object({
    ...walletListShape({ chains }),
    exclude_spam: excludeSpamParameter().optional(),
    as_of_block: asOfParameter(walletAsOf).optional(),
    token_counts: flag({ description: 'true: shows how many tokens the wallet holds.', default: false }).optional(),
    disable_total: flag({
      description: 'false: total counts the collections of the wallet.',
      default: true,
    }).optional(),
  })
}

export type WalletCollectionFilters = WalletFilters & {
  exclude_spam: boolean
  token_counts: boolean
  disable_total: boolean
  as_of_block: number | null
}

export const walletCollectionDefaults: WalletCollectionFilters = {
  chain: '',
  wallet: '',
  limit: 100,
  exclude_spam: false,
  token_counts: false,
  disable_total: true,
  as_of_block: null,
}

/** Start of a page, and the total of the first page if requested. */
export type WalletCollectionAfter = { collection: string; total: number | null; asOfHash?: Hex }

const { token_address, contract_type, name, symbol, possible_spam, verified_collection } = nftSchema.shape

const walletCollectionSchema = z
  .object({
    token_address,
    contract_type: contract_type.describe('Standard that the contract claims or that its first log showed.'),
    name,
    symbol,
    possible_spam,
    verified_collection,
    count: z.int().min(1).optional().describe('Tokens of it that the wallet holds; only with token_counts.'),
  })
  .meta({ id: 'WalletCollection', description: 'A collection of which a wallet holds tokens.' })

export const walletCollectionPageSchema = nftPageSchema.extend({
  total: z.int().min(0).nullable().describe('Collections of the wallet; null unless disable_total is false.'),
  result: z.array(walletCollectionSchema).describe('The collections, the one last indexed first.'),
  status: nftPageSchema.shape.status.describe(
    'SYNCED: every collection that the response covers is indexed up to the head last seen.',
  ),
})

/** The body of a page of a wallet's collections. `count` counts all of them. */
export async function cutWalletCollections(options: {
  cursors: Cursors
  place: ListPlace<WalletCollectionFilters>
  found: WalletCollections
  count: () => Promise<number>
  asOf: WalletAsOf | null
  status: 'SYNCED' | 'SYNCING'
}): Promise<Buffer> {
  const { cursors, place, found, count, asOf, status } = options
  const { limit, token_counts, disable_total } = place.filters
  const { collections, next } = found
  const text = collections.map((collection) => JSON.stringify(recordOf(collection, token_counts))).join()
  const total = (place.after as WalletCollectionAfter | null)?.total ?? null
  return recordPage<string>({
    walk: { page: place.page, limit, given: place.walked, total, counts: !disable_total },
    found: {
      records: { toBuffer: (before = '', after = '') => Buffer.from(before + text + after) },
      count: collections.length,
      last: next,
    },
    count,
    sign({ after, given, total }) {
      const next: WalletCollectionAfter = { collection: after, total, ...(asOf && { asOfHash: asOf.hash }) }
      return cursors.sign(walletCollectionsOperation, { ...place, page: place.page + 1, after: next, walked: given })
    },
    status,
  })
}

function recordOf(collection: WalletCollection, counts: boolean): z.output<typeof walletCollectionSchema> {
  return {
    token_address: collection.address,
    contract_type: collection.standard,
    name: collection.name,
    symbol: collection.symbol,
    possible_spam: collection.possibleSpam,
    verified_collection: collection.verified,
    ...(counts && { count: Number(collection.tokens) }),
  }
}
