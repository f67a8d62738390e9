import type { ConfigInput } from '../src/config/config.ts'
import { startChild } from './child.ts'
import { benchChain, type MeasuredService, secondsUntilSynced, startMeasuredService } from './measuredService.ts'
import type { StandInAddress, StandInInput } from './rpcStandIn.ts'
import { startTemporaryPostgres, type TemporaryPostgres } from './temporaryPostgres.ts'

/** A service that has read one collection, with its database and the simulated node. */
export type MeasuredCollection = {
  node: StandInAddress
  postgres: TemporaryPostgres
  service: MeasuredService
  stop(): Promise<void>
}

/** `config`: settings besides the database and the chain. The service may still read metadata when it returns. */
export async function startMeasuredCollection(
  contract: Omit<StandInInput, 'chainId' | 'multicall'>,
  config: ConfigInput = {},
  { wallets }: { wallets?: 'chain' | 'indexed' } = {},
): Promise<MeasuredCollection> {
  const standIn = startChild('./rpcStandIn.ts', { ...contract, chainId: benchChain.id, multicall: true })
  const node = await standIn.next<StandInAddress>()
  const postgres = await startTemporaryPostgres()
  const service = await startMeasuredService({ databaseUrl: postgres.url, nodeUrl: node.url, config, wallets })
  await secondsUntilSynced(service.url, node)
  return {
    node,
    postgres,
    service,
    async stop() {
      for (const part of [service, postgres, standIn]) await part.stop()
    },
  }
}

/** Settings for figures that measure the speed of metadata: it comes from this machine, 200 requests at a time. */
export const manyDocuments: ConfigInput = {
  outbound: { allow: ['127.0.0.1'], perHostConcurrency: 200 },
  metadata: { concurrentDocuments: 200 },
}
