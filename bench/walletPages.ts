import { request } from 'undici'
import { type Figure, medians, shareOf } from './figure.ts'
import { startMeasuredCollection } from './measuredCollection.ts'
import { benchChain, benchKey, embeddedPoolSize, startMeasuredService } from './measuredService.ts'
import { startPageLoad } from './pageLoad.ts'
import { seedKnownWallets } from './seedKnownWallets.ts'
import { marketplace, seedWallets } from './seedWallets.ts'

/** This collection only provides a node and a chain. Nothing requests it. */
const shape = { seed: 8, logs: 100, blocks: 100, mintShare: 1, holders: 10 }
const connections = 16
const seconds = 3
const pages = 300
/** The figure does not count these rounds. */
const warmRounds = 3

/**
 * Measures uncached pages of wallets, alternating with pages of contracts in the same tables. A chain has one scope of wallets in a
 * service, so a second service answers for wallets over all contracts.
 */
export const walletPages: Figure = {
  name: 'wallet-pages',
  title:
    'Pages of 100 records of wallets out of 10,000,000 tokens in 1,000 collections, the page cache turned off, 16 connections',
  async run() {
    const config = { pageCache: { maxBytes: 0 }, databasePoolSize: embeddedPoolSize }
    const collection = await startMeasuredCollection({ shape, uris: { at: 'nowhere' } }, config, { wallets: 'indexed' })
    const { node, service, postgres } = collection
    const seeded = await seedWallets(postgres.connection)
    const known = await seedKnownWallets(postgres.connection)
    const whole = await startMeasuredService({
      ...{ databaseUrl: postgres.url, nodeUrl: node.url, wallets: 'chain' },
      config: { ...config, role: 'api' },
    })
    const of = (path: string, query: Record<string, string> = {}) =>
      `/api/v2/${path}?${new URLSearchParams({ chain: benchChain.name, ...query })}`
    const paths = {
      wallets: seeded.wallets.map((wallet) => of(`${wallet}/nft`)),
      marketplace: await walk(service.url, of(`${marketplace}/nft`)),
      clean: await walk(service.url, of(`${marketplace}/nft`, { exclude_spam: 'true' })),
      contracts: await walk(service.url, of(`nft/${seeded.contracts[0]!}`)),
      known: known.map((wallet) => of(`${wallet}/nft`)),
      wallet25: seeded.wallets.map((wallet) => of(`${wallet}/nft`, { limit: '25' })),
    }
    const load = startPageLoad({ connections, seconds })

    await checkKnown(whole.url, paths.known[0]!)

    async function round() {
      const wallets = await load.measure(service.url, paths.wallets)
      const known = await load.measure(whole.url, paths.known)
      const contracts = await load.measure(service.url, paths.contracts)
      const large = await load.measure(service.url, paths.marketplace)
      const clean = await load.measure(service.url, paths.clean)
      const short = await load.measure(service.url, paths.wallet25)
      return { wallets, known, contracts, large, clean, short }
    }
    for (let i = 0; i < warmRounds; i++) await round()
    const rows = await medians(5, async () => {
      const { wallets, known, contracts, large, clean, short } = await round()
      return [
        {
          what: 'wallet with 100 tokens of ten collections',
          value: wallets.perSecond,
          unit: 'pages/s',
          goal: { atLeast: 1_500 },
        },
        {
          what: 'the same, of the rate of pages of a contract',
          value: (100 * wallets.perSecond) / contracts.perSecond,
          unit: '%',
        },
        { what: 'wallet with 100 tokens of 40 known contracts', value: known.perSecond, unit: 'pages/s' },
        {
          what: 'the same, of the rate of the wallet with ten collections',
          ...shareOf(known.perSecond, wallets.perSecond, 60),
        },
        { what: 'page of a contract in the same tables', value: contracts.perSecond, unit: 'pages/s' },
        { what: 'time of a page of a wallet, median', value: wallets.medianMs, unit: 'ms' },
        { what: 'time of a page of a wallet, 99th percentile', value: wallets.p99Ms, unit: 'ms' },
        { what: 'wallet with a million tokens', value: large.perSecond, unit: 'pages/s' },
        { what: 'the same without spam, which is nine tenths of its tokens', value: clean.perSecond, unit: 'pages/s' },
        { what: 'wallet with 100 tokens, 25 records', value: short.perSecond, unit: 'pages/s' },
      ]
    })
    for (const part of [load, whole, collection]) await part.stop()
    return rows
  },
}

/** Throws if a page of a wallet over all contracts is not complete, full or of 40 contracts. */
async function checkKnown(url: string, path: string): Promise<void> {
  const { body } = await request(url + path, { headers: { 'x-api-key': benchKey } })
  const page = (await body.json()) as { status: string; result: { token_address: string }[] }
  const contracts = new Set(page.result.map(({ token_address }) => token_address))
  if (page.status !== 'SYNCED' || page.result.length !== 100 || contracts.size !== 40)
    throw new Error(`${page.status}: a page has ${page.result.length} tokens of ${contracts.size} contracts`)
}

/** Walks a list and returns the paths of its first pages. */
async function walk(url: string, path: string): Promise<string[]> {
  const paths = [path]
  while (paths.length < pages) {
    const { statusCode, body } = await request(url + paths.at(-1)!, { headers: { 'x-api-key': benchKey } })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`a page was answered ${statusCode}: ${text}`)
    const { cursor } = JSON.parse(text) as { cursor: string | null }
    if (cursor === null) break
    paths.push(`${path}&cursor=${cursor}`)
  }
  return paths
}
