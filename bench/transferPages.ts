import { type Dispatcher, request } from 'undici'
import { type Figure, medians, type Row, shareOf } from './figure.ts'
import { type MeasuredCollection, startMeasuredCollection } from './measuredCollection.ts'
import { benchChain, benchKey, embeddedPoolSize, type PageBody, untilTried } from './measuredService.ts'
import { startPageLoad } from './pageLoad.ts'

const shape = { seed: 3, logs: 100_000, blocks: 150_000, mintShare: 0.6, holders: 20_000 }
const connections = 16
/** Measurements are short and alternate, because the machine's speed changes within seconds. */
const seconds = 1
const rounds = 8
/** The figure does not count these rounds. */
const warmRounds = 5
const pages = 200

const kinds = [
  { what: 'token list', path: (contract: string) => `nft/${contract}` },
  {
    what: 'transfers of the contract',
    path: (contract: string) => `nft/${contract}/transfers`,
    goal: { atLeast: 1_500 },
  },
  { what: 'transfers of the chain', path: () => 'nft/transfers' },
]

/** Measures uncached pages of transfers, once the times of their blocks are stored, beside pages of tokens. */
export const transferPages: Figure = {
  name: 'transfer-pages',
  title: 'Pages of 100 transfers out of 100,000, the page cache turned off, 16 connections',
  async run() {
    const collection = await startMeasuredCollection(
      { shape, uris: { at: 'nowhere' } },
      { pageCache: { maxBytes: 0 }, databasePoolSize: embeddedPoolSize },
    )
    const { service, node } = collection
    await untilTried(service.url, node.contract)
    const sides: { what: string; goal?: { atLeast: number }; paths: string[] }[] = []
    for (const { path, ...kind } of kinds) sides.push({ ...kind, paths: await walk(collection, path(node.contract)) })
    const load = startPageLoad({ connections, seconds })
    let repetition = 0
    async function round(): Promise<Row[]> {
      const rates = new Map<string, number>()
      for (const { what, paths } of repetition++ % 2 === 0 ? sides : sides.toReversed())
        rates.set(what, (await load.measure(service.url, paths)).perSecond)
      const list = rates.get(sides[0]!.what)!
      return sides.flatMap(({ what, goal }, i) => [
        { what, value: rates.get(what)!, unit: 'pages/s', ...(goal && { goal }) },
        ...(i === 1 ? [{ what: `${what}, of the token list`, ...shareOf(rates.get(what)!, list, 60) }] : []),
      ])
    }
    // Node compiles code while it runs.
    for (let i = 0; i < warmRounds; i++) await round()
    const rows = await medians(rounds, round)
    for (const part of [load, collection]) await part.stop()
    return rows
  },
}

/**
 * Walks a list by its cursors and returns the paths of its pages. At the first request for a page, the service reads its block times from
 * the node.
 */
async function walk({ service }: MeasuredCollection, path: string): Promise<string[]> {
  const targets: string[] = []
  for (let cursor: string | null = ''; cursor !== null && targets.length < pages; ) {
    const target: string = `/api/v2/${path}?chain=${benchChain.name}${cursor && `&cursor=${cursor}`}`
    const answer: Dispatcher.ResponseData = await request(service.url + target, { headers: { 'x-api-key': benchKey } })
    cursor = ((await answer.body.json()) as PageBody).cursor
    targets.push(target)
  }
  return targets
}
