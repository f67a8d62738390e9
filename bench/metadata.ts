import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { peakMegabytes, startChild } from './child.ts'
import type { DocumentHostAddress, DocumentHostInput } from './documentHost.ts'
import { type Figure, medians, type Row } from './figure.ts'
import {
  benchChain,
  benchKey,
  getPage,
  type MeasuredService,
  pageAddress,
  secondsUntilSynced,
  startMeasuredService,
} from './measuredService.ts'
import type { StandInAddress, StandInInput } from './rpcStandIn.ts'
import type { TokenUris } from './syntheticContract.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

const shape = { seed: 4, logs: 10_000, blocks: 1_000, mintShare: 1, holders: 4_000 }

/** Documents of a whole collection, from the block that completes it until every one of them is stored and served. */
export const metadata: Figure = {
  name: 'metadata',
  title: 'Documents of 10,000 tokens, fetched, normalised, counted and stored',
  async run() {
    const host = startChild('./documentHost.ts', { delayMs: 50 } satisfies DocumentHostInput)
    const { url } = await host.next<DocumentHostAddress>()
    const rows = await medians(3, async () => [
      ...(await round('from one host that answers in 50 ms, 200 at once', { at: 'host', url }, 1_500)),
      ...(await round('from data: URIs', { at: 'data' }, 8_000)),
    ])
    await host.stop()
    return rows
  },
}

async function round(what: string, uris: TokenUris, goal: number): Promise<Row[]> {
  const input: StandInInput = { shape, chainId: benchChain.id, multicall: true, uris }
  const standIn = startChild('./rpcStandIn.ts', input)
  const node = await standIn.next<StandInAddress>()
  const postgres = await startTemporaryPostgres()
  const service = await startMeasuredService({
    databaseUrl: postgres.url,
    nodeUrl: node.url,
    config: {
      outbound: { allow: ['127.0.0.1'], perHostConcurrency: 200 },
      metadata: { concurrentDocuments: 200 },
    },
  })
  await secondsUntilSynced(service.url, node)
  const seconds = await secondsUntilRead(service, node)
  const memory = peakMegabytes(service.pid)
  for (const part of [service, postgres, standIn]) await part.stop()
  return [
    { what, value: node.tokens / seconds, unit: 'documents/s', goal: { atLeast: goal } },
    { what: 'memory of the Node process at its peak', value: memory, unit: 'MB', goal: { atMost: 700 } },
  ]
}

/** Throws where a token has no document in the end. */
async function secondsUntilRead({ url }: MeasuredService, { contract }: StandInAddress): Promise<number> {
  const started = performance.now()
  const address = pageAddress(url, contract, { limit: '1' })
  for (;;) {
    const { headers, body } = await request(address, { headers: { 'x-api-key': benchKey } })
    await body.dump()
    if (headers['x-index-metadata-progress'] === '1') break
    await wait(10)
  }
  const seconds = (performance.now() - started) / 1_000
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await getPage(url, contract, cursor ? { cursor } : {})
    const without = page.result.find((token) => !token.metadata)
    if (without) throw new Error(`token ${without.token_hash} has no document`)
    cursor = page.cursor
  }
  return seconds
}
