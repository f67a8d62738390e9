import { z } from 'zod'
import { readRecords } from '../../nft/nftRecord.ts'
import type { HeldTokens } from '../../nft/query.ts'
import type { FollowedBlock, WalletPlace } from '../../nft/walletQuery.ts'
import type { Address } from '../../util/hex.ts'
import { jsonAnswer } from '../http/answer.ts'
import { headersNow } from '../http/pageTarget.ts'
import type { Route } from '../http/route.ts'
import { answerCovered } from '../nft/answerCoverage.ts'
import { type AlchemyOptions, alchemyRoute } from './alchemyRoute.ts'
import { indexedHeaders } from './indexedAnswer.ts'
import { acquiredAt, nftShape } from './nftShape.ts'
import { createPageKeys, pageKeyParameter } from './pageKey.ts'
import {
  contractAddress,
  contractsParameter,
  filtersParameter,
  orderParameter,
  ownerParameter,
  pageSizeParameter,
  timeoutParameter,
  withMetadataParameter,
} from './parameters.ts'
import { readDeployments } from './readDeployments.ts'
import { withMetadata, withoutMetadata } from './readNfts.ts'
import { spamFilter } from './walletFilter.ts'

/** Where a page begins, and how many tokens the first one counted. */
type Place = WalletPlace & { total: number }

/** What wallets hold. */
export function ownedNftsRoutes(options: AlchemyOptions): Route[] {
  return [ownedRoute(options), holderRoute(options)]
}

function ownedRoute(options: AlchemyOptions): Route {
  const { chains, nft, wallets, origins, collections, cursors } = options
  return alchemyRoute({
    method: 'GET',
    name: 'getNFTsForOwner',
    chains,
    query: z.object({
      owner: ownerParameter(),
      contractAddresses: contractsParameter().optional(),
      withMetadata: withMetadataParameter(),
      orderBy: orderParameter(),
      excludeFilters: filtersParameter('What is left out.'),
      includeFilters: filtersParameter('What alone is wanted.'),
      pageSize: pageSizeParameter(),
      pageKey: pageKeyParameter().optional(),
      tokenUriTimeoutInMs: timeoutParameter(),
    }),
    async handle({ chain, query, exchange }) {
      const { owner: wallet, contractAddresses: named, pageSize: limit = 100 } = query
      const whole = query.withMetadata ?? true
      const spam = spamFilter(query)
      const addresses = named && named.length > 0 ? [...new Set(named)].toSorted() : null
      const keys = createPageKeys<Place>({
        ...{ cursors: await cursors(), operation: 'owned.1' },
        filters: { chain: String(chain.id), wallet, addresses, spam },
      })
      const place = keys.read(query.pageKey)
      const asked = { chainId: chain.id, addresses, exchange }
      return answerCovered(options, asked, async ({ report, only }) => {
        const filter = { chainId: chain.id, wallet, only: only?.map(({ id }) => id) ?? null, ...spam }
        const form = whole ? withMetadata : withoutMetadata
        const found = await wallets.tokens(filter, place, { limit, whole: form })
        const total = place?.total ?? wallets.count(filter).then(({ tokens }) => tokens)
        // All of it at once: each of these statements needs nothing of the others.
        const [held, from, known, at, totalCount] = await Promise.all([
          nft.held(found.held, form, found.documents),
          whole ? origins.tokens(chain.id, originsOf(found.held, wallet)) : [],
          whole ? collections.read(chain.id, [...new Set(found.held.map(({ address }) => address))]) : [],
          validAt(report.block),
          total,
        ])
        const records = readRecords(held.records)
        const states = new Map(known.map(({ collection, snapshot }) => [collection.address, snapshot.state]))
        const deployments = await readDeployments({ origins, chainId: chain.id }, states, { isNamed: false })
        const hashes = found.held.flatMap((one) => one.hashes)
        const originOf = new Map(hashes.map((hash, i) => [hash, from[i]]))
        const ownedNfts = records.map((record) =>
          whole
            ? {
                ...nftShape(record, states.get(record.token_address), {
                  origin: originOf.get(record.token_hash),
                  deployment: deployments.get(record.token_address),
                }),
                balance: record.amount,
                acquiredAt: acquiredAt(originOf.get(record.token_hash)?.acquired ?? null),
              }
            : { contractAddress: record.token_address, tokenId: record.token_id, balance: record.amount },
        )
        const next = lastOf(found.held, held.used) ?? found.next
        const reported = report.at(performance.now())
        const body = {
          ownedNfts,
          totalCount,
          validAt: at,
          pageKey: keys.sign(next && { ...next, total: totalCount }),
        }
        const headers = indexedHeaders(headersNow({ headers: reported.headers, confirmedAt: report.confirmedAt }))
        return jsonAnswer(200, body, headers)
      })

      async function validAt(block: FollowedBlock | null) {
        const time = block && (await origins.timeOf(chain.id, block))
        return {
          blockNumber: block ? Number(block.number) : null,
          blockHash: block?.hash ?? null,
          blockTimestamp: time?.toISOString() ?? null,
        }
      }
    },
  })
}

/** The tokens of a page, of each of which it is asked since when the wallet has it. */
const originsOf = (held: readonly HeldTokens[], holder: Address) =>
  held.flatMap(({ state, hashes }) => hashes.map((hash) => ({ state, hash, holder })))

/** The last of the first `used` tokens, where others follow; else null. */
function lastOf(held: readonly HeldTokens[], used: number): WalletPlace | null {
  const all = held.flatMap(({ state, hashes }) => hashes.map((hash) => ({ collection: String(state.id), hash })))
  return used < all.length ? all[used - 1]! : null
}

function holderRoute(options: AlchemyOptions): Route {
  const { chains, wallets } = options
  return alchemyRoute({
    method: 'GET',
    name: 'isHolderOfContract',
    chains,
    query: z.object({ wallet: ownerParameter(), contractAddress: contractAddress() }),
    async handle({ chain, query, exchange }) {
      const { wallet, contractAddress: address } = query
      const asked = { chainId: chain.id, addresses: [address], exchange }
      return answerCovered(options, asked, async ({ report, only }) => {
        const filter = { chainId: chain.id, wallet, only: only?.map(({ id }) => id) ?? [], excludeSpam: false }
        const { held } = await wallets.tokens(filter, null, { limit: 1, whole: null })
        const { headers } = report.at(performance.now())
        return jsonAnswer(200, { isHolderOfContract: held.length > 0 }, indexedHeaders(headers))
      })
    },
  })
}
