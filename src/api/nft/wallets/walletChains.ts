import { z } from 'zod'
import type { HeldTokens, NftQuery } from '../../../nft/query.ts'
import { type Address, type Hex, quantity } from '../../../util/hex.ts'
import { headersNow } from '../../http/pageTarget.ts'
import { parameter } from '../../http/parameters.ts'
import type { Exchange } from '../../http/route.ts'
import type { Cursors } from '../../pages/cursor.ts'
import type { ListFilters, ListPlace } from '../../pages/filteredList.ts'
import { type ApiChain, chainParameter } from '../chains.ts'
import type { ReportedStatus } from '../collections/reportCollection.ts'
import { recordPage } from '../recordPage.ts'
import { recordParameters } from '../recordParameters.ts'
import { nftPageSchema, nftSchema } from '../schemas.ts'
import { unpackContracts } from '../walletParameters.ts'
import { type AnswerWalletOptions, answerWallet, type WalletCoverage } from './answerWallet.ts'
import { walletHeaderSchema } from './reportWallets.ts'
import {
  placeIn,
  recordForm,
  tokenForm,
  type WalletTokensFilters,
  walletTokensDefaults,
  walletTokensShape,
  withAcquired,
} from './walletPages.ts'
import { countTokens, type FoundTokens, readTokens, sizeOf, type TokenPlace } from './walletSource.ts'

/** Operation id in cursors, with the version of their format. */
export const walletChainsOperation = 'wallet.chains.2'

/** Most chains of a walk: each page reads the wallet on each chain. */
const mostChains = 20

export function walletChainsQuerySchema({ chains }: { chains: readonly ApiChain[] }) {
  const { chain: _, ...records } = recordParameters({
    chains,
    total: 'total counts the tokens of the wallet on all chains.',
  })
  return z.object({
    chains: z
      .array(chainParameter({ chains }))
      .min(1, `is empty; allowed: 1 to ${mostChains} chains`)
      .max(mostChains, `has too many; allowed: at most ${mostChains} chains`)
      .meta({
        description: `The chains, in the order of the walk; 1 to ${mostChains}. With a cursor they may be omitted.`,
      })
      .optional(),
    ...records,
    ...walletTokensShape(),
    as_of_block: parameter({
      description: 'Not allowed: a block number belongs to one chain.',
      allowed: 'omitting it, as a block number belongs to one chain: request GET /api/v2/{wallet}/nft with chain',
      schema: { type: 'string' },
      parse: () => undefined,
    }).optional(),
  })
}

/** `chains`: ids in hex, separated by commas. */
export type WalletChainsFilters = ListFilters & WalletTokensFilters & { chains: string }

export const walletChainsDefaults: WalletChainsFilters = { ...walletTokensDefaults, chains: '' }

/** Chain and place where a page begins; `total`: count of the first page. */
export type WalletChainsAfter = { chain: Hex; place: TokenPlace | null; total: number | null }

const { shape } = walletHeaderSchema

/** Indexing status of the wallet on a chain, as the headers of lists of one chain. */
const chainSchema = z
  .object({
    status: shape['x-index-status'],
    scope: shape['x-index-scope'],
    progress: z.number().min(0).max(1).optional().describe('Covered part of the chain.'),
    from_block: shape['x-index-from-block'],
    to_block: shape['x-index-to-block'],
    head_block: shape['x-index-head-block'],
    lag_blocks: shape['x-index-lag-blocks'],
    head_age: shape['x-index-head-age'],
    collections: shape['x-index-collections'],
    failure: shape['x-index-failure'],
    incomplete: shape['x-index-incomplete'],
    metadata_progress: shape['x-index-metadata-progress'],
  })
  .meta({ id: 'WalletOnChain', description: 'How far a wallet is indexed on a chain.' })

export const walletChainsPageSchema = nftPageSchema.extend({
  total: z.int().min(0).nullable().describe('Tokens of the wallet on all chains; null unless disable_total is false.'),
  result: z
    .array(
      nftSchema.and(z.object({ chain: z.string().meta({ description: 'Name of the chain.', examples: ['eth'] }) })),
    )
    .describe('The records, chain by chain: owner_of is the wallet, and amount the units that it owns.'),
  status: nftPageSchema.shape.status.describe('SYNCED: the wallet is indexed on every chain up to the head last seen.'),
  chains: z.record(z.string(), chainSchema).describe('How far the wallet is indexed, by the name of the chain.'),
})

type Covered = { chain: ApiChain; coverage: WalletCoverage }

/** Result of `answer` with the wallet's coverage on all chains. The first request starts indexing on each. */
export function answerChains<T>(
  options: AnswerWalletOptions,
  requested: { chains: readonly ApiChain[]; wallet: Address; addresses: readonly Address[] | null; exchange: Exchange },
  answer: (covered: readonly Covered[]) => Promise<T>,
): Promise<T> {
  const next = (covered: readonly Covered[]): Promise<T> => {
    const chain = requested.chains[covered.length]
    if (!chain) return answer(covered)
    return answerWallet(options, { ...requested, chain }, (coverage) => next([...covered, { chain, coverage }]))
  }
  return next([])
}

/** The body of a page. */
export async function cutWalletChains(
  options: AnswerWalletOptions & { nft: NftQuery },
  {
    cursors,
    place,
    wallet,
    covered,
  }: { cursors: Cursors; place: ListPlace<WalletChainsFilters>; wallet: Address; covered: readonly Covered[] },
): Promise<{ body: Buffer; status: ReportedStatus['status'] }> {
  const { filters } = place
  const { limit, disable_total } = filters
  const after = place.after as WalletChainsAfter | null
  const addresses = unpackContracts(filters.token_addresses)
  const wanted = ({ chain }: Covered) => {
    return { chainId: chain.id, wallet, addresses, excludeSpam: filters.exclude_spam, asOf: null }
  }
  const scopes = covered.map(({ chain, coverage: { scope } }) => ({ scope, on: `, which it is not on ${chain.name}` }))
  const form = { metadata: null, ...tokenForm(filters, scopes) }

  const pages: { chain: ApiChain; found: FoundTokens }[] = []
  let next: WalletChainsAfter | null = null
  let capacity = limit
  const first = after ? covered.findIndex(({ chain }) => quantity(chain.id) === after.chain) : 0
  for (const of of covered.slice(first)) {
    const begin = of === covered[first] ? (after?.place ?? null) : null
    if (capacity === 0) {
      next = { chain: quantity(of.chain.id), place: null, total: null }
      break
    }
    const { found } = await readTokens(options, of.coverage, { ...wanted(of), ...form, after: begin, limit: capacity })
    pages.push({ chain: of.chain, found })
    capacity -= sizeOf(found)
    if (found.next) {
      next = { chain: quantity(of.chain.id), place: found.next, total: null }
      break
    }
  }
  const held = pages.flatMap(({ chain, found }) => found.held.map((one) => onChain(withAcquired(one), chain)))
  const { records, used } = await options.nft.held(held, recordForm(filters), null)

  async function counted(): Promise<number> {
    const counts = await Promise.all(covered.map((of) => countTokens(options, of.coverage, wanted(of))))
    return counts.reduce((sum, { tokens }) => sum + tokens, 0)
  }

  const reported = covered.map(({ chain, coverage: { report } }) => ({
    chain,
    report,
    ...report.at(performance.now()),
  }))
  const status = reported.every((one) => one.status === 'SYNCED') ? 'SYNCED' : 'SYNCING'
  const page = await recordPage<WalletChainsAfter>({
    walk: { page: place.page, limit, given: place.walked, total: after?.total ?? null, counts: !disable_total },
    found: { records, count: used, last: lastOf(pages, used) ?? next },
    count: counted,
    sign: ({ after, given, total }) =>
      cursors.sign(walletChainsOperation, {
        ...place,
        page: place.page + 1,
        after: { ...after, total },
        walked: given,
      }),
    status,
  })
  const chains = Object.fromEntries(
    reported.map(({ chain, report, headers }) => [
      chain.name,
      membersOf(headersNow({ headers, confirmedAt: report.confirmedAt })),
    ]),
  )
  return { body: Buffer.concat([page.subarray(0, -1), Buffer.from(`,"chains":${JSON.stringify(chains)}}`)]), status }
}

const nothing = Buffer.alloc(0)

/** Tokens whose records contain their chain. */
function onChain(held: HeldTokens, { name }: ApiChain): HeldTokens {
  const member = Buffer.from(`,"chain":${JSON.stringify(name)}`)
  return { ...held, members: held.hashes.map((_, i) => Buffer.concat([held.members?.[i] ?? nothing, member])) }
}

/** The place of the `used`-th token if others follow; else null. */
function lastOf(pages: readonly { chain: ApiChain; found: FoundTokens }[], used: number): WalletChainsAfter | null {
  let remaining = used
  for (const { chain, found } of pages) {
    const size = sizeOf(found)
    if (remaining < size) return { chain: quantity(chain.id), place: placeIn(found, remaining), total: null }
    remaining -= size
  }
  return null
}

/** The x-index-… headers as fields of a body. */
function membersOf(headers: readonly string[]): Record<string, string | number> {
  const members: Record<string, string | number> = {}
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!.replace(/^x-index-/, '').replaceAll('-', '_')
    members[name] = name === 'progress' ? Number(headers[i + 1]) : headers[i + 1]!
  }
  return members
}
