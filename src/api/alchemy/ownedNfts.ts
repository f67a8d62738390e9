import { z } from 'zod'
import type { OriginQuery, TokenOrigin } from '../../nft/originQuery.ts'
import type { HeldTokens, RecordParts } from '../../nft/query.ts'
import type { FollowedBlock } from '../../nft/walletQuery.ts'
import type { Address } from '../../util/hex.ts'
import { jsonAnswer } from '../http/answer.ts'
import type { PageState } from '../http/pageTarget.ts'
import type { Exchange, Route } from '../http/route.ts'
import { answerWallet, type WalletCoverage } from '../nft/wallets/answerWallet.ts'
import { placeIn } from '../nft/wallets/walletPages.ts'
import { type FoundTokens, readTokens, sizeOf, type TokenPlace } from '../nft/wallets/walletSource.ts'
import { answerAndRemember, walletPageState } from '../nft/wallets/walletTarget.ts'
import { type AlchemyOptions, alchemyRoute } from './alchemyRoute.ts'
import { indexedHeaders } from './indexedAnswer.ts'
import { createPageKeys, pageKeyParameter } from './pageKey.ts'
import {
  contractAddress,
  contractsParameter,
  filtersParameter,
  orderParameter,
  ownerParameter,
  pageSizeParameter,
  timeoutParameter,
  type WrittenContract,
  withMetadataParameter,
} from './parameters.ts'
import { type ByteText, bodyWith, byteText } from './records/byteText.ts'
import { contractShape } from './records/contractShape.ts'
import { createNftWriter, type KnownContracts } from './records/nftText.ts'
import { readContractFacts } from './records/readContractFacts.ts'
import { withMetadata, withoutMetadata } from './records/readNfts.ts'
import { filterTokens, originsOf, rejectOrderOf, walletChoice } from './walletFilter.ts'

/** Where a page begins, and the token count of the first page; null: unknown. */
type Place = TokenPlace & { total: number | null }

/** The tokens of a page that pass a filter for airdrops. */
type Chosen = { from: readonly TokenOrigin[]; hashes: ReadonlySet<string>; text: string }

/** Holdings of wallets. */
export function ownedNftsRoutes(options: AlchemyOptions): Route[] {
  return [ownedRoute(options), holderRoute(options)]
}

function ownedRoute(options: AlchemyOptions): Route {
  const { chains, nft, origins, collections, answers, cache, cursors, salt } = options
  return alchemyRoute({
    method: 'GET',
    name: 'getNFTsForOwner',
    chains,
    scheduled: 'inside',
    query: z.object({
      owner: ownerParameter(),
      contractAddresses: contractsParameter().optional(),
      withMetadata: withMetadataParameter(),
      orderBy: orderParameter(),
      excludeFilters: filtersParameter('Omit these tokens.'),
      includeFilters: filtersParameter('List only these tokens.'),
      pageSize: pageSizeParameter(),
      pageKey: pageKeyParameter().optional(),
      tokenUriTimeoutInMs: timeoutParameter(),
    }),
    async handle({ route, chain, query, exchange }) {
      const { owner: wallet, contractAddresses: named, pageSize: limit = 100 } = query
      const hasMetadata = query.withMetadata ?? true
      const form = hasMetadata ? withMetadata : withoutMetadata
      const { spam, keeps, name: choice } = walletChoice(query)
      const addresses = named && named.length > 0 ? [...new Set(named.map(({ address }) => address))].toSorted() : null
      // The published client finds contracts by the addresses that it sent.
      const written = hasMetadata ? [] : (named ?? []).filter(({ address, written }) => written !== address)
      const order = query.orderBy === undefined ? 'contract' : 'acquired'
      const filters = { chain: String(chain.id), wallet, addresses, choice, order }
      const keys = createPageKeys<Place>({ ...{ cursors: await cursors(), operation: 'owned.1' }, filters })
      const place = keys.read(query.pageKey)
      const page = { filters, place, limit, hasMetadata, ...(written.length > 0 && { written }) }
      /** State of the page at its last request: an unchanged page is then answered without reading its metadata. */
      let last: PageState | undefined
      const isKnown = (exchange: Exchange) =>
        exchange.header('if-none-match') !== undefined || (last && cache.get(last.name, last.version))
      const requested = { chain, wallet, name: 'owner', addresses, coveredByPage: true, readsMore: true }
      const answerCovered = async (coverage: WalletCoverage, exchange: Exchange) => {
        if (order === 'acquired') rejectOrderOf(coverage)
        const { found, count } = await readTokens(options, coverage, {
          ...{ chainId: chain.id, wallet, addresses, ...spam, after: place, limit, counted: place === null && !keeps },
          ...{ metadata: isKnown(exchange) ? null : form, asOf: null, order, acquired: hasMetadata },
        })
        const { report } = coverage
        const { held } = found
        const readOrigins = () => originsOf(origins, coverage, { chainId: chain.id, held })
        const chosen = keeps && (await readChosen({ chainId: chain.id, held, keeps, from: await readOrigins() }))
        const [total, validAt, contracts] = await Promise.all([
          chosen ? totalOfChosen(chosen, place, found) : totalOf(count, place, found),
          validAtBlock(origins, chain.id, report.block),
          hasMetadata ? knownContracts(chain.id, found) : undefined,
        ])
        const reported = report.at(performance.now())
        const shown = contracts && [...contracts.states].map(([address]) => shownOf(contracts, address))
        const mark = JSON.stringify([found.mark, found.next, total, validAt, shown, chosen?.text])
        const state = {
          ...walletPageState({ salt: await salt(), operation: 'alchemy.owned', place: page, mark, report, reported }),
          headers: indexedHeaders(reported.headers),
          confirmedAt: undefined,
        }
        last = state
        async function cut() {
          const [read, from] = await Promise.all([
            nft.held(held, form, found.metadata),
            contracts ? (chosen?.from ?? readOrigins()) : [],
          ])
          const parts = read.records.parts().filter(({ token }) => chosen?.hashes.has(token.token_hash) ?? true)
          const nfts = writeHeld(parts, { contracts, written, originOf: originsByHash(held, from) })
          const next = placeIn(found, read.used) ?? found.next
          const envelope = { totalCount: total, validAt, pageKey: keys.sign(next && { ...next, total }) }
          return bodyWith('{"ownedNfts":[', nfts, `],${byteText(envelope).slice(1)}`)
        }
        return answers.answer({ state, keep: true, cut, exchange })
      }
      // The scheduler estimates requests that may wait for a node separately.
      const kind = keeps ? 'airdrops' : ''
      const answer = (exchange: Exchange) =>
        exchange.schedule(
          () => answerWallet(options, { ...requested, exchange }, (coverage) => answerCovered(coverage, exchange)),
          { kind },
        )
      return answerAndRemember({ cache, route, exchange, answer })
    },
  })

  /** Token count of the first page. A wallet with a single page is counted from that page. */
  async function totalOf(
    count: () => Promise<{ tokens: number }>,
    place: Place | null,
    found: FoundTokens,
  ): Promise<number | null> {
    if (place) return place.total
    return found.next === null ? sizeOf(found) : (found.total ?? (await count()).tokens)
  }

  /** Which tokens of a page are wanted. `text` differs for another selection. */
  async function readChosen(requested: Parameters<typeof filterTokens>[2] & { chainId: bigint }): Promise<Chosen> {
    const kept = await filterTokens(origins, requested.chainId, requested)
    const hashes = requested.held.flatMap((one) => one.hashes).filter((_, i) => kept[i])
    return { from: requested.from, hashes: new Set(hashes), text: hashes.join() }
  }

  async function knownContracts(chainId: bigint, { held }: FoundTokens): Promise<KnownContracts> {
    const known = await collections.read(chainId, [...new Set(held.map(({ address }) => address))])
    const states = new Map(known.map(({ collection, snapshot }) => [collection.address, snapshot.state]))
    return { states, facts: await readContractFacts({ origins, chainId }, states, { isNamed: false }) }
  }
}

/** Counting airdrops requires the sender of each mint, so tokens are counted only if one statement returns all. */
function totalOfChosen({ hashes }: Chosen, place: Place | null, { next }: FoundTokens): number | null {
  if (place) return place.total
  return next === null ? hashes.size : null
}

const shownOf = ({ states, facts }: KnownContracts, address: Address) =>
  contractShape(address, states.get(address), facts.get(address))

function writeHeld(
  records: readonly RecordParts[],
  {
    contracts,
    written,
    originOf,
  }: {
    contracts: KnownContracts | undefined
    written: readonly WrittenContract[]
    originOf: ReadonlyMap<string, TokenOrigin>
  },
): ByteText[] {
  if (!contracts) {
    const asWritten = new Map(written.map((one) => [one.address, one.written]))
    return records.map(
      ({ address, token }) =>
        `{"contractAddress":"${asWritten.get(address) ?? address}","tokenId":"${token.token_id}","balance":"${token.amount}"}`,
    )
  }
  const writer = createNftWriter(contracts)
  return records.map((one) => writer.nft(one, { origin: originOf.get(one.token.token_hash), ofHolder: true }))
}

function originsByHash(held: readonly HeldTokens[], origins: readonly TokenOrigin[]): Map<string, TokenOrigin> {
  const hashes = held.flatMap((one) => one.hashes)
  return new Map(origins.map((origin, i) => [hashes[i]!, origin]))
}

/** The block of an answer. */
async function validAtBlock(origins: OriginQuery, chainId: bigint, block: FollowedBlock | null) {
  const time = block && (await origins.timeOf(chainId, block))
  return {
    blockNumber: block ? Number(block.number) : null,
    blockHash: block?.hash ?? null,
    blockTimestamp: time?.toISOString() ?? null,
  }
}

function holderRoute(options: AlchemyOptions): Route {
  const { chains } = options
  return alchemyRoute({
    method: 'GET',
    name: 'isHolderOfContract',
    chains,
    query: z.object({ wallet: ownerParameter(), contractAddress: contractAddress() }),
    async handle({ chain, query, exchange }) {
      const { wallet, contractAddress: address } = query
      const requested = { chain, wallet, addresses: [address], exchange, coveredByPage: true }
      return answerWallet(options, requested, async (coverage) => {
        const { found } = await readTokens(options, coverage, {
          ...{ chainId: chain.id, wallet, addresses: [address], excludeSpam: false, after: null, limit: 1 },
          ...{ metadata: null, asOf: null, order: 'contract', acquired: false },
        })
        const { headers } = coverage.report.at(performance.now())
        return jsonAnswer(200, { isHolderOfContract: found.held.length > 0 }, indexedHeaders(headers))
      })
    },
  })
}
