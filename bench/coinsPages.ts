import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { startConstant } from './cachedPage.ts'
import { startChild } from './child.ts'
import type { CoinsPeerInput, CoinsPeerQuestions, CoinsPeerResult } from './coinsPeer.ts'
import { type Figure, mean, medians, type Row, shareOf } from './figure.ts'
import { benchKey, embeddedPoolSize, startMeasuredService } from './measuredService.ts'
import { startPageLoad } from './pageLoad.ts'
import { seedBenchCoins } from './seedCoins.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

const coins = 50_000
const connections = 16
/** Seconds of a measurement. Measurements are short and many, because the machine's speed changes within seconds. */
const seconds = 1
const rounds = 14
/** The figure does not count these rounds. */
const warmRounds = 5
/** The order of a round. Pairs with the smallest difference are measured most often. */
const order = [
  ...(['own', 'bare', 'bare', 'own', 'own', 'bare'] as const),
  ...(['ownGzip', 'bareGzip', 'fromStore', 'query'] as const),
]
const standards = ['v1', 'v2', 'all'] as const
const gzip = { 'accept-encoding': 'gzip' }

/** Measures both coin operations: cached pages beside a constant buffer, and stored pages beside the bare query. */
export const coinsPages: Figure = {
  name: 'coins-pages',
  title: '/coins/latest with 100 coins and /coins with 25 hashes, of 50,000 coins and 50,000 assets, 16 connections',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
    const postgres = await startTemporaryPostgres()
    const cached = await startMeasuredService({ databaseUrl: postgres.url })
    const hashes = await seedBenchCoins(postgres.connection, coins)
    const uncached = await startMeasuredService({
      databaseUrl: postgres.url,
      config: { pageCache: { maxBytes: 0 }, databasePoolSize: embeddedPoolSize },
    })
    const sets = Array.from({ length: 400 }, (_, i) =>
      Array.from({ length: 25 }, (_, n) => hashes[(i * 97 + n * 1_931) % coins]!),
    )
    const pathOf = (set: readonly string[]) => `/coins?${set.map((hash) => `coin_type_hashes[]=${hash}`).join('&')}`
    const walk = await walkPages(uncached.url, 400)
    const ofStandards = await Promise.all(
      standards.map(async (standard) => (await walkPages(uncached.url, 200, standard)).map(({ path }) => path)),
    )
    const peer = startChild('./coinsPeer.ts', {
      connection: postgres.connection,
      connections,
      seconds,
    } satisfies CoinsPeerInput)
    peer.send({ pages: walk.map(({ after }) => after), sets } satisfies CoinsPeerQuestions)
    await peer.next()
    const load = startPageLoad({ connections, seconds })

    async function rate(origin: string, paths: string[], headers: Record<string, string>) {
      return (await load.measure(origin, paths, { headers })).perSecond
    }

    async function rowsOf(
      what: string,
      path: string,
      uncachedPaths: string[],
      question: 'latest' | 'byHash',
    ): Promise<Row[]> {
      const plain = await startConstant(join(folder, 'plain'), cached.url + path, {})
      const zipped = await startConstant(join(folder, 'gzip'), cached.url + path, gzip)
      let repetition = 0
      async function round(): Promise<Row[]> {
        const steps = {
          own: () => rate(cached.url, [path], {}),
          bare: () => rate(plain.url, [path], {}),
          ownGzip: () => rate(cached.url, [path], gzip),
          bareGzip: () => rate(zipped.url, [path], gzip),
          fromStore: () => rate(uncached.url, uncachedPaths, {}),
          async query() {
            peer.send(question)
            return (await peer.next<CoinsPeerResult>()).perSecond
          },
        }
        // The order alternates, so that a machine that becomes faster meanwhile favours no step.
        const seen: { step: keyof typeof steps; rate: number }[] = []
        for (const step of repetition++ % 2 === 0 ? order : order.toReversed())
          seen.push({ step, rate: await steps[step]() })
        const rateOf = (wanted: keyof typeof steps) =>
          mean(seen.filter(({ step }) => step === wanted).map(({ rate }) => rate))
        const share = (step: keyof typeof steps, whole: keyof typeof steps, atLeast: number) =>
          shareOf(rateOf(step), rateOf(whole), atLeast)
        return [
          { what: `${what}, cached`, value: rateOf('own'), unit: 'answers/s' },
          { what: `${what}, cached, of a constant buffer`, ...share('own', 'bare', 85) },
          { what: `${what}, cached, of a constant gzip buffer`, ...share('ownGzip', 'bareGzip', 65) },
          { what: `${what}, from the database`, value: rateOf('fromStore'), unit: 'answers/s' },
          { what: `${what}, from the database, of the query alone`, ...share('fromStore', 'query', 50) },
        ]
      }
      // Node compiles code while it runs: in the first seconds the service answers half as many requests as later.
      for (let i = 0; i < warmRounds; i++) await round()
      const rows = await medians(rounds, round)
      for (const part of [plain.child, zipped.child]) await part.stop()
      return rows
    }

    const rows = [
      ...(await rowsOf(
        'latest 100',
        '/coins/latest?limit=100',
        walk.map(({ path }) => path),
        'latest',
      )),
      ...(await rowsOf('25 by hash', pathOf(sets[0]!), sets.map(pathOf), 'byHash')),
    ]
    const v1 = walk.map(({ path }) => path).slice(0, 200)
    rows.push(
      ...(await medians(rounds, async () => {
        const without = await rate(uncached.url, v1, {})
        const found: Row[] = []
        for (const [i, standard] of standards.entries()) {
          const value = await rate(uncached.url, ofStandards[i]!, {})
          const what = `latest 100, standard=${standard}, from the database`
          found.push({ what, value, unit: 'answers/s' })
          found.push({ what: `${what}, of pages without standard`, value: (100 * value) / without, unit: '%' })
        }
        return found
      })),
    )
    for (const part of [load, peer, cached, uncached, postgres]) await part.stop()
    rmSync(folder, { recursive: true })
    return rows
  },
}

type Coin = { coin_type_hash: string; transaction_version_created: string }

/** Walks pages by their cursors and returns each with the position before it. */
async function walkPages(
  url: string,
  count: number,
  standard?: (typeof standards)[number],
): Promise<{ path: string; after: { version: string; hash: string } }[]> {
  const found: { path: string; after: { version: string; hash: string } }[] = []
  const first = `/coins/latest?limit=100${standard === undefined ? '' : `&standard=${standard}`}`
  let path = first
  while (found.length < count) {
    const { body } = await request(url + path, { headers: { 'x-api-key': benchKey } })
    const page = (await body.json()) as { cursor: string | null; result: Coin[] }
    const last = page.result.at(-1)
    if (page.cursor === null || !last) break
    path = `${first}&cursor=${page.cursor}`
    found.push({ path, after: { version: last.transaction_version_created, hash: last.coin_type_hash } })
  }
  return found
}
