import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { addPreviews } from './addPreviews.ts'
import { startChild } from './child.ts'
import { type Figure, medians, type Row } from './figure.ts'
import { manyDocuments } from './measuredCollection.ts'
import {
  benchChain,
  benchKey,
  pageAddress,
  secondsUntilSynced,
  startMeasuredService,
  untilTried,
} from './measuredService.ts'
import type { NeighbourInput, NeighbourKind, NeighbourResult } from './neighbour.ts'
import { startPageLoad } from './pageLoad.ts'
import type { StandInAddress, StandInInput } from './rpcStandIn.ts'

const shape = { seed: 31, logs: 40_000, blocks: 60_000, mintShare: 1, holders: 10_000 }
const seconds = 4
const rounds = 3
const perSecond = 200
/** Connections of the client whose pages are timed, and of its neighbour. */
const [few, many] = [4, 32]
/** The neighbour starts this much before pages are timed. */
const leadMs = 1_000

/** Unknown contracts come last, because the service indexes them for a while afterwards. */
const kinds: [NeighbourKind | null, string][] = [
  [null, 'nothing'],
  ['tokens', 'getMultipleNFTs, 100 tokens each'],
  ['traits', 'lists filtered by six traits'],
  ['snapshots', 'snapshots of other blocks'],
  ['exports', 'exports'],
  ['unknown', 'unknown contracts'],
]

/** Measures a cached page of one key, from a separate process, while another key sends as many requests as it can. */
export const neighbours: Figure = {
  name: 'neighbours',
  title: `A cached page, requested ${perSecond} times a second with one key, beside ${many} connections of another key`,
  async run({ seeded } = {}) {
    const world = await openNeighbours()
    const round = async () => {
      const rows: Row[] = []
      for (const [kind, what] of kinds) rows.push(...(await world.beside(kind, what)))
      return rows
    }
    // Before the measurement Node compiles its code, and the service makes the export.
    for (const kind of ['tokens', 'exports'] as const) await world.beside(kind, kind)
    await seeded?.()
    const rows = await medians(rounds, round)
    await world.stop()
    return rows
  },
}

/** Starts a server with a collection, a client and its neighbour. `beside` times the client's page while the neighbour works. */
export async function openNeighbours() {
  const standIn = startChild('./rpcStandIn.ts', {
    ...{ shape, chainId: benchChain.id, multicall: true, uris: { at: 'data' } },
  } satisfies StandInInput)
  const node = await standIn.next<StandInAddress>()
  const service = await startMeasuredService({ databaseUrl: null, nodeUrl: node.url, config: manyDocuments })
  await secondsUntilSynced(service.url, node)
  await untilTried(service.url, node.contract)
  // The previews are in the embedded server's database, so that the service fetches nothing while pages are timed.
  const host = join(realpathSync(service.dataDir), 'postgres')
  await addPreviews({ host, user: 'postgres', database: 'postgres' })
  const neighbour = startChild('./neighbour.ts', {
    ...{ origin: service.url, key: await makeKey(service.url), connections: many, chain: benchChain.name },
    ...{ contract: node.contract, tokens: node.tokens, blocks: [node.first, node.finalized] },
  } satisfies NeighbourInput)
  const load = startPageLoad({ connections: few, seconds })
  const { pathname, search } = new URL(pageAddress(service.url, node.contract, {}))
  const paths = [pathname + search]

  return {
    service,
    async beside(kind: NeighbourKind | null, what: string): Promise<Row[]> {
      if (kind) {
        neighbour.send(kind)
        await wait(leadMs)
      }
      const { medianMs, p99Ms } = await load.measure(service.url, paths, { perSecond })
      const rows: Row[] = [
        { what: `beside ${what}: median`, value: medianMs, unit: 'ms' },
        { what: `beside ${what}: 99th percentile`, value: p99Ms, unit: 'ms', goal: { atMost: 60 } },
      ]
      if (!kind) return rows
      neighbour.send(null)
      const found = await neighbour.next<NeighbourResult>()
      if (found.failed > 0) throw new Error(`${found.failed} requests of the neighbour were answered 500 or above`)
      const rate = (value: number) => value / found.seconds
      return [
        ...rows,
        { what: `${what}: answers to the other key`, value: rate(found.answered), unit: 'answers/s' },
        { what: `${what}: rejected requests of the other key`, value: rate(found.rejected), unit: 'answers/s' },
        { what: `${what}: bytes sent to the other key`, value: rate(found.bytes) / 1e6, unit: 'MB/s' },
        { what: `${what}: slowest answer to the other key`, value: found.longestMs, unit: 'ms' },
      ]
    },
    async stop() {
      for (const part of [load, neighbour, service, standIn]) await part.stop()
    },
  }
}

/** Creates a read key without a rate limit. */
async function makeKey(url: string): Promise<string> {
  const { body } = await request(`${url}/admin/keys`, {
    method: 'POST',
    headers: { 'x-api-key': benchKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'neighbour' }),
  })
  return ((await body.json()) as { key: string }).key
}
