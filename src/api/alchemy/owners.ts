import { z } from 'zod'
import type { AsOf } from '../../nft/asOfQuery.ts'
import type { HolderBalances } from '../../nft/holderQuery.ts'
import type { CollectionState } from '../../nft/query.ts'
import { BadRequestError } from '../../util/errors.ts'
import type { Address, Hex } from '../../util/hex.ts'
import type { Answer } from '../http/answer.ts'
import { NotCoveredError, NotInCollectionError } from '../http/errors.ts'
import { flag, parameter } from '../http/parameters.ts'
import type { Route } from '../http/route.ts'
import type { Snapshot } from '../nft/collections/collections.ts'
import { parseBlockNumber } from '../nft/transferParameters.ts'
import { type AlchemyOptions, alchemyRoute } from './alchemyRoute.ts'
import { indexedAnswer, indexedBody } from './indexedAnswer.ts'
import { ofContract } from './ofContract.ts'
import { createPageKeys, pageKeyParameter } from './pageKey.ts'
import { contractAddress, pageSizeParameter, tokenIdParameter } from './parameters.ts'

/** Most owners on a page, as Alchemy has it. */
const mostOwners = 50_000

/** The block at whose end owners are requested; latest: now. */
function blockParameter() {
  return parameter<number | 'latest'>({
    description: 'Owners at the end of this block, by its number; latest: now.',
    allowed: 'the number of a block, decimal or 0x and hex digits, or latest',
    schema: { type: 'string', pattern: '^([0-9]+|0[xX][0-9a-fA-F]+|latest)$' },
    parse: (text) => (text.toLowerCase() === 'latest' ? 'latest' : parseBlockNumber(text)),
  })
}

/**
 * Owners with their tokens. Transforms the JSON text directly: one object per owner would cost 2 µs, for up to 50,000
 * owners.
 */
function ownersText(holders: HolderBalances): string {
  if (holders === '') return ''
  const owners = holders
    .replaceAll('+', '"},{"tokenId":"')
    .replaceAll(' ', '","tokenBalances":[{"tokenId":"')
    .replaceAll('=', '","balance":"')
    .replaceAll(';', '"}]},{"ownerAddress":"0x')
  return `{"ownerAddress":"0x${owners}"}]}`
}

const noOwners = { owners: [], totalCount: 0, pageKey: null }

/** The previous owner, and the hash of the requested block; null: none is requested. */
type Place = [owner: Address, blockHash: Hex | null]

/** Who holds a token, and who holds a contract's tokens. */
export function ownersRoutes(options: AlchemyOptions): Route[] {
  return [ofTokenRoute(options), ofContractRoute(options)]
}

function ofTokenRoute(options: AlchemyOptions): Route {
  const { chains, holders, collections, cursors } = options
  return alchemyRoute({
    method: 'GET',
    name: 'getOwnersForNFT',
    chains,
    query: z.object({
      contractAddress: contractAddress(),
      tokenId: tokenIdParameter(),
      pageSize: pageSizeParameter(mostOwners),
      pageKey: pageKeyParameter().optional(),
    }),
    async handle({ chain, query, exchange }) {
      const { contractAddress: address, tokenId, pageSize: limit = mostOwners } = query
      const keys = createPageKeys<Address>({
        ...{ cursors: await cursors(), operation: 'token.owners.1' },
        filters: { chain: String(chain.id), address, tokenId: String(tokenId) },
      })
      const after = keys.read(query.pageKey)
      const requested = { collections, chainId: chain.id, address, exchange }
      return ofContract(requested, async (snapshot, state) => {
        const found = state
          ? await holders.ofToken({ state, address, tokenId, after, limit })
          : { owners: [], last: null }
        return indexedAnswer({ owners: found.owners, pageKey: keys.sign(found.last) }, [snapshot])
      })
    },
  })
}

function ofContractRoute(options: AlchemyOptions): Route {
  const { chains, holders, collections, asOf, cursors } = options
  return alchemyRoute({
    method: 'GET',
    name: 'getOwnersForContract',
    chains,
    query: z.object({
      contractAddress: contractAddress(),
      withTokenBalances: flag({ description: 'true: with the tokens of each owner.', default: false }).optional(),
      block: blockParameter().optional(),
      pageSize: pageSizeParameter(mostOwners),
      pageKey: pageKeyParameter().optional(),
    }),
    async handle({ chain, query, exchange }) {
      const { contractAddress: address, pageSize: limit = mostOwners } = query
      const withBalances = query.withTokenBalances ?? false
      const block = query.block === undefined || query.block === 'latest' ? null : query.block
      const keys = createPageKeys<Place>({
        ...{ cursors: await cursors(), operation: 'owners.2' },
        filters: { chain: String(chain.id), address, withBalances, block },
      })
      const [after, hash] = keys.read(query.pageKey) ?? [null, null]

      async function page(snapshot: Snapshot, state: CollectionState, at: AsOf | null): Promise<Answer | 'moved'> {
        const of = { state, asOf: at }
        const answerWith = (owners: readonly Buffer[], { count, last }: { count: number; last: Address | null }) => {
          const next: Place | null = last && [last, at?.hash ?? null]
          const envelope = JSON.stringify({ totalCount: count, pageKey: keys.sign(next) }).slice(1)
          const body = Buffer.concat([Buffer.from('{"owners":['), ...owners, Buffer.from(`],${envelope}`)])
          return indexedBody(body, [snapshot])
        }
        if (withBalances) {
          const found = await holders.balances({ ...of, after, limit })
          if (found === 'moved') return found
          return answerWith([Buffer.from(ownersText(found.holders), 'latin1')], found)
        }
        const found = await holders.addresses({ ...of, after, limit })
        if (found === 'moved') return found
        return answerWith(found.texts, found)
      }

      if (block !== null)
        return asOf
          .read({
            ...{ collection: collections.get(chain.id, address), exchange, requested: { number: block, hash } },
            read: (snapshot, at) => asOf.cut(exchange, () => page(snapshot, snapshot.state, at)),
          })
          .catch((error: unknown) => {
            if (error instanceof NotInCollectionError) return indexedAnswer(noOwners, [])
            // Its headers are not this dialect's.
            if (error instanceof NotCoveredError) throw new BadRequestError(error.message, { details: error.details! })
            throw error
          })
      return ofContract({ collections, chainId: chain.id, address, exchange }, async (snapshot, state) => {
        if (!state) return indexedAnswer(noOwners, [snapshot])
        return (await page(snapshot, state, null)) as Answer
      })
    },
  })
}
