import { z } from 'zod'
import { type CoinQuery, lastSupplyVersion, listVersion, type NetworkState, stateVersion } from '../../coin/query.ts'
import { NotFoundError } from '../../util/errors.ts'
import { createCoinTarget } from '../coin/coinTarget.ts'
import {
  type LatestQuery,
  latestName,
  latestQuerySchema,
  nextCursor,
  readLatestQuery,
  standardParameter,
} from '../coin/latestQuery.ts'
import { defaultNetwork, type Networks } from '../coin/networks.ts'
import { coinPageSchema, coinSupplySchema, coinsSchema, networkHeaderSchema } from '../coin/schemas.ts'
import { coveredVersion, renderSupply, supplyQuerySchema } from '../coin/supplyAnswer.ts'
import { jsonType } from '../http/answer.ts'
import { parameter } from '../http/parameters.ts'
import { defineRoute, type Exchange, type Route } from '../http/route.ts'
import { mediaSchema } from '../nft/schemas.ts'
import type { Cursors } from '../pages/cursor.ts'
import type { PageAnswers } from '../pages/pageAnswers.ts'
import type { PageCache } from '../pages/pageCache.ts'

/** Preview images of a URL, as JSON; null: the text is not a URL. The first request starts making them. */
export type Icons = (uri: string) => Promise<string | null>

export type CoinRoutesOptions = {
  query: CoinQuery
  icons: Icons
  networks: Networks
  answers: PageAnswers
  cache: PageCache
  cursors: () => Promise<Cursors>
  /** Part of every ETag; different for another database or another program. */
  salt: () => Promise<string>
}

const common = { method: 'GET', tag: 'Coins', access: 'read' } as const
const ofNetwork = z.object({
  network: parameter({
    description: 'The network, as in the configuration.',
    allowed: 'the name of a network',
    schema: { type: 'string', examples: ['mainnet', 'testnet'] },
    parse: (text) => (/^[a-z0-9][a-z0-9_-]{0,39}$/.test(text) ? text : undefined),
  }),
})

const mostHashes = 25

const hash = parameter({
  description: 'SHA-256 of a coin type, in any case, with or without 0x.',
  allowed: 'a coin type hash: 64 hex digits',
  schema: { type: 'string', pattern: '^(0[xX])?[0-9a-fA-F]{64}$', examples: ['9'.repeat(64)] },
  parse: (text) => /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1]?.toLowerCase(),
})

/** The parameter `coin_type_hashes`, in every list syntax. */
const coinTypeHashes = z
  .array(hash, { error: `is missing; allowed: 1 to ${mostHashes} coin type hashes` })
  .min(1, `is empty; allowed: 1 to ${mostHashes} coin type hashes`)
  .max(mostHashes, `has too many; allowed: 1 to ${mostHashes} coin type hashes`)
  .meta({ description: `1 to ${mostHashes} coin type hashes.` })

/** The operations, at the origin for the default network and below /aptos/{network} for each network. */
export function coinRoutes(options: CoinRoutesOptions): Route[] {
  return [
    latestRoute(options, '', z.object({})),
    byHashRoute(options, '', z.object({})),
    supplyRoute(options, '', z.object({})),
    iconRoute(options, '', z.object({})),
    latestRoute(options, '/aptos/{network}', ofNetwork),
    byHashRoute(options, '/aptos/{network}', ofNetwork),
    supplyRoute(options, '/aptos/{network}', ofNetwork),
    iconRoute(options, '/aptos/{network}', ofNetwork),
  ]
}

/** Id and summary of an operation at the origin or of a network. */
const named = (base: string, operationId: string, summary: string) =>
  base === ''
    ? { operationId, summary }
    : { operationId: `${operationId}OfNetwork`, summary: `${summary} of a network` }

/** The network of a path; paths at the origin have none. */
function networkIn(params: object): string {
  return (params as Partial<z.output<typeof ofNetwork>>).network ?? defaultNetwork
}

function latestRoute(options: CoinRoutesOptions, base: string, params: z.ZodObject): Route {
  const route = `${base}/coins/latest`
  return defineRoute({
    ...common,
    path: route,
    ...named(base, 'getLatestCoins', 'Latest deployed coins'),
    description: 'Newest first, by transaction_version_created descending, then coin_type_hash.',
    scheduled: 'inside',
    params,
    query: latestQuerySchema,
    ok: { description: 'A page.', schema: coinPageSchema, headers: networkHeaderSchema },
    ...(base === '' ? {} : { errors: [404] }),
    async handle({ params, query, exchange }) {
      const network = networkIn(params)
      const latest = readLatestQuery({ network, query, cursors: await options.cursors() })
      const versionOf = latest.standard === null ? undefined : stateVersion
      const requested = { route, network, name: `latest ${latestName(latest)}`, versionOf, exchange }
      return answerAndRemember(options, requested, (state) => cutLatest(options, latest, state))
    },
  })
}

function byHashRoute(options: CoinRoutesOptions, base: string, params: z.ZodObject): Route {
  const route = `${base}/coins`
  return defineRoute({
    ...common,
    path: route,
    ...named(base, 'getCoinsByHashes', 'Coins by their hashes'),
    description: 'In the order requested; unknown hashes are omitted, and a hash requested twice is given once.',
    scheduled: 'inside',
    params,
    query: z.object({ coin_type_hashes: coinTypeHashes, standard: standardParameter.optional() }),
    ok: { description: 'The coins.', schema: coinsSchema, headers: networkHeaderSchema },
    ...(base === '' ? {} : { errors: [404] }),
    handle({ params, query, exchange }) {
      const network = networkIn(params)
      const hashes = [...new Set(query.coin_type_hashes)]
      const standard = query.standard ?? null
      const name = `hashes ${network} ${hashes.join(' ')}${standard === null ? '' : ` ${standard}`}`
      const versionOf = standard === null ? (state: NetworkState) => listVersion(state, 'all') : stateVersion
      return answerAndRemember(options, { route, network, name, versionOf, exchange }, async (state) =>
        state ? options.query.byHash(state, hashes, standard) : '[]',
      )
    },
  })
}

function supplyRoute(options: CoinRoutesOptions, base: string, params: z.ZodObject): Route {
  const route = `${base}/coins/{hash}/supply`
  return defineRoute({
    ...common,
    path: route,
    ...named(base, 'getCoinSupply', 'Supply of a coin at a version'),
    description: 'At the end of the version; without one, of the last that is covered.',
    scheduled: 'inside',
    params: z.object({ ...params.shape, hash }),
    query: supplyQuerySchema,
    ok: { description: 'The supply.', schema: coinSupplySchema, headers: networkHeaderSchema },
    errors: [404],
    handle({ params, query, exchange }) {
      const network = networkIn(params)
      const { hash } = params as { hash: string }
      const name = `supply ${network} ${hash} ${query.version ?? 'latest'}`
      const versionOf = query.version === undefined ? lastSupplyVersion : stateVersion
      return answerAndRemember(options, { route, network, name, versionOf, exchange }, async (state) => {
        const version = coveredVersion(state, query.version)
        return renderSupply(await options.query.supply(state!, hash, version), { hash, version })
      })
    },
  })
}

function iconRoute(options: CoinRoutesOptions, base: string, params: z.ZodObject): Route {
  return defineRoute({
    ...common,
    path: `${base}/coins/{hash}/icon`,
    ...named(base, 'getCoinIcon', 'Icon of a coin'),
    description: 'Preview images of icon_uri, made at the first request.',
    params: z.object({ ...params.shape, hash }),
    ok: { description: 'The icon.', schema: mediaSchema },
    errors: [404],
    async handle({ params }) {
      const { hash } = params as { hash: string }
      const { state } = await options.networks.read(options.networks.get(networkIn(params)))
      const body = await readIcon(options, state, hash)
      return { status: 200, headers: ['content-type', jsonType, 'cache-control', 'no-cache'], body: Buffer.from(body) }
    },
  })
}

async function answerAndRemember(
  { networks, answers, cache, salt }: CoinRoutesOptions,
  requested: {
    route: string
    network: string
    name: string
    versionOf: ((state: NetworkState) => bigint) | undefined
    exchange: Exchange
  },
  cut: (state: NetworkState | undefined) => Promise<string>,
) {
  const network = networks.get(requested.network)
  const target = createCoinTarget({ ...requested, network, salt: await salt() })
  async function answer(exchange: Exchange) {
    const snapshot = await networks.read(network)
    const { state } = snapshot
    const page = target.at(snapshot, performance.now())
    const keep = state !== undefined
    const known = keep && answers.known({ state: page, exchange })
    return known || exchange.schedule(() => answers.answer({ state: page, keep, cut: () => cut(state), exchange }))
  }
  const first = await answer(requested.exchange)
  cache.remember(requested.exchange.target, { ...target, answer })
  return first
}

async function cutLatest(
  { query, cursors }: CoinRoutesOptions,
  latest: LatestQuery,
  state: NetworkState | undefined,
): Promise<string> {
  const { after, limit, offset, standard } = latest
  const { records, last } = state
    ? await query.latest({ state, after, offset, limit, standard })
    : { records: [], last: null }
  const cursor = last && nextCursor(await cursors(), latest, last)
  return `{"cursor":${JSON.stringify(cursor)},"hasNextPage":${cursor !== null},"result":[${records.join(',')}]}`
}

/** The preview images of the icon of a coin. Throws NotFoundError if the coin is not known, or has none. */
async function readIcon(
  { query, icons }: { query: CoinQuery; icons: Icons },
  state: NetworkState | undefined,
  hash: string,
): Promise<string> {
  const [coin] = state ? (JSON.parse(await query.byHash(state, [hash], 'all')) as { icon_uri: string | null }[]) : []
  if (!coin) throw new NotFoundError(`no coin has the hash ${hash} in the history read so far`)
  const icon = coin.icon_uri ? await icons(coin.icon_uri) : null
  if (icon === null) throw new NotFoundError(`the coin with hash ${hash} has no icon`)
  return icon
}
