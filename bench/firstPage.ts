import { startChild } from './child.ts'
import { type Figure, medians } from './figure.ts'
import { benchChain, secondsUntilSynced, startMeasuredService } from './measuredService.ts'
import type { StandInAddress, StandInInput } from './rpcStandIn.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

/** 10,000 mints over three weeks of blocks, as of a collection that sold out. */
const shape = { seed: 2, logs: 10_000, blocks: 150_000, mintShare: 1, holders: 4_000 }

/** Measures the time from the first request for a collection until all of it is stored. */
export const firstPage: Figure = {
  name: 'first-page',
  title: 'First request for a collection of 10,000 mints, until it is complete',
  async run() {
    const input: StandInInput = { shape, chainId: benchChain.id, multicall: true }
    const standIn = startChild('./rpcStandIn.ts', input)
    const node = await standIn.next<StandInAddress>()
    const rows = await medians(3, async () => {
      const postgres = await startTemporaryPostgres()
      const service = await startMeasuredService({ databaseUrl: postgres.url, nodeUrl: node.url })
      const seconds = await secondsUntilSynced(service.url, node)
      await service.stop()
      await postgres.stop()
      return [{ what: 'complete after', value: seconds, unit: 's', goal: { atMost: 5 } }]
    })
    await standIn.stop()
    return rows
  },
}
