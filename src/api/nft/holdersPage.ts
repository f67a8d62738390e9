import { z } from 'zod'
import type { AsOf } from '../../nft/asOfQuery.ts'
import type { HolderQuery, HolderRowsPage } from '../../nft/holderQuery.ts'
import type { CollectionState } from '../../nft/query.ts'
import type { Address, Hex } from '../../util/hex.ts'
import { choice, cursorText, pageLimit, parameter } from '../http/parameters.ts'
import type { Cursors } from '../pages/cursor.ts'
import type { ListPlace } from '../pages/filteredList.ts'
import { asOfParameter } from './asOf.ts'
import { type ChainFilters, readChainList } from './chainList.ts'
import { type ApiChain, type CollectionName, chainParameter } from './chains.ts'
import { hasRecords, recordPage } from './recordPage.ts'
import { nftPageSchema, nftSchema } from './schemas.ts'

/** Operation id in cursors, with the version of their format. */
const operation = 'nft.holders.1'

const mostHolders = 1_000

const digits = z.string().regex(/^\d+$/)

const holderSchema = z
  .object({
    owner_of: nftSchema.shape.token_address.describe('The holder.'),
    amount: digits.describe('Units that it holds.'),
    tokens: z.int().min(1).describe('Different tokens that it holds.'),
    percentage: z.number().min(0).max(100).describe('Percentage of all units.'),
  })
  .meta({ id: 'NftHolder', description: 'An address that holds tokens of a contract.' })

export const holderPageSchema = nftPageSchema
  .extend({
    total: z.int().min(0).describe('Holders in all.'),
    page_size: z.int().min(1).max(mostHolders).describe('Maximum records per page.'),
    result: z.array(holderSchema).describe('The holders.'),
  })
  .meta({ id: 'NftHolderPage', description: 'A page of holders.' })

export function holdersQuerySchema({ chains }: { chains: readonly ApiChain[] }) {
  return z.object({
    chain: chainParameter({ chains }).optional(),
    order: choice({
      description: 'amount: descending, then by address; address: by address alone.',
      values: ['amount', 'address'],
      default: 'amount',
    }).optional(),
    min_amount: parameter({
      description: 'Only holders of at least this many units.',
      allowed: 'a whole number of at most 78 digits',
      schema: { type: 'string', pattern: '^[0-9]+$' },
      parse: (text) => (/^\d{1,78}$/.test(text) ? String(BigInt(text)) : undefined),
    }).optional(),
    limit: pageLimit(mostHolders),
    cursor: cursorText().optional(),
    as_of_block: asOfParameter('The holders at the end of this block.').optional(),
  })
}

type HoldersFilters = ChainFilters & {
  address: string
  order: 'amount' | 'address'
  min_amount: string
  as_of_block: number | null
}

const defaults: HoldersFilters = {
  ...{ chain: '', address: '', limit: 100, order: 'amount', min_amount: '0', as_of_block: null },
}

/** The holder before the page, the holder count of the first page, and the block's hash then. */
type After = [amount: string, owner: Address, total: number, blockHash?: Hex] | null

/** A page of a collection's holders. */
export type HoldersQuery = CollectionName & { place: ListPlace<HoldersFilters> }

/** Combines path, query and cursor. Throws BadRequestError. */
export function readHoldersQuery(options: {
  address: Address
  query: z.output<ReturnType<typeof holdersQuerySchema>>
  chains: readonly ApiChain[]
  cursors: Cursors
}): HoldersQuery {
  const { address, query, chains, cursors } = options
  const { cursor: _, chain: __, ...given } = query
  const list = readChainList({ operation, query, filters: { ...given, address }, defaults, chains, cursors })
  return { ...list, address }
}

/** Key of the page in the cache. */
export const holdersName = ({ place }: HoldersQuery) => `holders ${JSON.stringify(place)}`

/** The body of a page of holders. `state` undefined: nothing is known of the collection yet. */
export async function cutHolders(options: {
  holders: HolderQuery
  cursors: Cursors
  query: HoldersQuery
  state: CollectionState | undefined
  asOf: AsOf | null
  status: 'SYNCED' | 'SYNCING'
}): Promise<Buffer | 'moved'> {
  const { holders, cursors, query, state, asOf, status } = options
  const { filters, page, walked } = query.place
  const { limit, order, min_amount } = filters
  const after = query.place.after as After
  const found: HolderRowsPage | 'moved' = hasRecords(state)
    ? await holders.page({
        ...{ state, asOf, order, limit, minAmount: BigInt(min_amount) },
        after: after && { amount: after[0], owner: after[1] },
      })
    : { rows: [], last: null, count: 0, total: '0' }
  if (found === 'moved') return found
  const text = holderTexts(found)
  return recordPage<{ amount: string; owner: Address }>({
    walk: { page, limit, given: walked, total: after?.[2] ?? null, counts: true },
    found: {
      records: { toBuffer: (before = '', behind = '') => Buffer.from(before + text + behind) },
      ...{ count: found.rows.length, last: found.last },
    },
    count: async () => found.count,
    sign({ after: { amount, owner }, given, total }) {
      const next: After = [amount, owner, total ?? found.count, ...(asOf ? [asOf.hash] : [])] as After
      return cursors.sign(operation, { filters, page: page + 1, after: next, walked: given })
    },
    status,
  })
}

/** Records as JSON; hex and digits need no escaping. */
function holderTexts({ rows, total }: HolderRowsPage): string {
  const whole = Number(total)
  let texts = ''
  for (const { owner, amount, tokens } of rows) {
    const comma = texts === '' ? '' : ','
    texts += `${comma}{"owner_of":"${owner}","amount":"${amount}","tokens":${tokens},"percentage":${percentageOf(Number(amount), whole)}}`
  }
  return texts
}

/** With eight decimals, for which the precision of doubles suffices. */
const percentageOf = (amount: number, total: number) =>
  total === 0 ? 0 : Math.round((amount / total) * 10_000_000_000) / 100_000_000
