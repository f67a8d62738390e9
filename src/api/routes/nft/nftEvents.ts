import { z } from 'zod'
import type { Metrics } from '../../../metrics/metrics.ts'
import { endOfBlock } from '../../../nft/transferQuery.ts'
import type { Feeds } from '../../events/createFeeds.ts'
import { eventStream } from '../../events/eventStream.ts'
import type { FeedName, FeedState } from '../../events/feed.ts'
import type { ListenersBound } from '../../events/listenersBound.ts'
import { type FeedPlace, readPlace, signPlace } from '../../events/place.ts'
import type { Answer } from '../../http/answer.ts'
import { address } from '../../http/parameters.ts'
import { fault } from '../../http/parseQuery.ts'
import { defineRoute, type Exchange, type Route } from '../../http/route.ts'
import { type ApiChain, chainParameter, chainWithNode } from '../../nft/chains.ts'
import type { Collections } from '../../nft/collections/collections.ts'
import { collectionSnapshot } from '../../nft/pages.ts'
import { walletParameter } from '../../nft/walletParameters.ts'
import type { Cursors } from '../../pages/cursor.ts'

export type NftEventRoutesOptions = {
  chains: readonly ApiChain[]
  collections: Collections
  feeds: Feeds
  listeners: ListenersBound
  metrics: Pick<Metrics, 'eventListeners' | 'eventsSent' | 'eventListenersCut'>
  cursors: () => Promise<Cursors>
}

const headers = [
  ...['content-type', 'text/event-stream; charset=utf-8', 'cache-control', 'no-store'],
  // Disables buffering in proxies that support the header.
  ...['x-accel-buffering', 'no'],
]

/** Changes of a contract or wallet as server-sent events. */
export function nftEventRoutes(options: NftEventRoutesOptions): Route[] {
  const { chains, collections, feeds, listeners, metrics, cursors } = options

  async function answer(name: FeedName, exchange: Exchange): Promise<Answer> {
    const signed = await cursors()
    const id = exchange.header('last-event-id')
    const resumed = id === undefined ? undefined : readPlace(signed, name, id, Date.now())
    const release = listeners.take(exchange.key?.id ?? 0n)
    try {
      const feed = await feeds.join(name)
      const { state } = feed
      const identity = state?.identity ?? ''
      if (resumed && state && resumed.identity !== '' && resumed.identity !== state.identity) {
        feed.unsubscribe()
        throw fault('Last-Event-ID', 'is of a collection or a chain that was removed since; allowed: omitting it')
      }
      const place = resumed?.place ?? startOf(state)
      const stream = eventStream({
        ...{ feed, identity, place, startBlock: place.block?.number ?? null },
        sign: (place, identity) => signPlace(signed, name, { place, identity, now: Date.now() }),
        ...{ signal: feeds.signal, metrics, isAllowed: exchange.isKeyValid, onEnd: release },
      })
      return { status: 200, headers, body: null, stream }
    } catch (error) {
      release()
      throw error
    }
  }

  const common = {
    method: 'GET',
    tag: 'NFTs',
    access: 'read',
    produces: 'text',
    scheduled: 'none',
    query: z.object({ chain: chainParameter({ chains }).optional() }),
    ok: {
      description: 'Events, until either side closes the connection.',
      contentType: 'text/event-stream',
      headers: z.object({ 'x-accel-buffering': z.string().describe('no: proxies pass on each event at once.') }),
    },
  } as const
  const shape = 'JSON: block, hash, version, reverted, transfers; more if the next event has the rest of the block.'
  return [
    defineRoute({
      ...common,
      path: '/api/v2/nft/{address}/events',
      operationId: 'listenToContract',
      summary: 'Changes of a contract as they happen',
      description: `Server-sent events, one for each block with transfers. ${shape} An undone block has one with reverted true. Last-Event-ID resumes without a gap for 30 days. The first request starts the indexing.`,
      params: z.object({ address: address({ description: 'The contract.' }) }),
      errors: [404],
      async handle({ params, query, exchange }) {
        const chainId = chainWithNode(query.chain, chains).id
        const collection = collections.get(chainId, params.address)
        await collectionSnapshot({ collections, collection, exchange })
        return answer({ of: 'contract', chainId, address: params.address }, exchange)
      },
    }),
    defineRoute({
      ...common,
      path: '/api/v2/{wallet}/nft/events',
      operationId: 'listenToWallet',
      summary: 'Changes of a wallet as they happen',
      description:
        'As the events of a contract, for transfers from and to the wallet; version is null. Covers the collections that are live on the chain.',
      params: z.object({ wallet: walletParameter() }),
      handle: ({ params, query, exchange }) =>
        answer({ of: 'wallet', chainId: chainWithNode(query.chain, chains).id, address: params.wallet }, exchange),
    }),
  ]
}

/** A listener without an id gets events from now on. */
function startOf(state: FeedState | undefined): FeedPlace {
  const toBlock = state?.toBlock ?? null
  return { after: toBlock === null ? ['-1', 0] : endOfBlock(toBlock), block: state?.block ?? null }
}
