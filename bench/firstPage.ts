import { startChild } from './child.ts'
import { type Figure, medians } from './figure.ts'
import { benchChain, secondsUntilSynced, startMeasuredService } from './measuredService.ts'
import type { StandInAddress, StandInInput } from './rpcStandIn.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

/** 10,000 mints over three weeks of blocks, as a collection that sold out. */
const shape = { seed: 2, logs: 10_000, blocks: 150_000, mintShare: 1, holders: 4_000 }

/** How long the first one who requests a collection waits until all of it is there. */
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
