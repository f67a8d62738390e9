import { onTestFinished } from 'vitest'
import type { ConfigInput } from '../../src/config.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { type Replica, startReplicated } from '../startReplicated.ts'

export type ReplicatedService = {
  anvil: Anvil
  /** Indexes, and reads pages of the primary. */
  indexer: TestServer
  /** Serves pages of the replica, and indexes nothing. */
  server: TestServer
  replica: Replica
}

/** Two processes on one database, one of which reads pages of its replica. `chain`: settings of the chain, for both. */
export async function startReplicatedService(
  config: Partial<ConfigInput> = {},
  chain: NonNullable<ConfigInput['chains']>[string] = {},
): Promise<ReplicatedService> {
  const anvil = await startAnvil({ slotsInAnEpoch: 4 })
  onTestFinished(() => anvil.stop())
  const { primary, replica } = await startReplicated()
  const indexer = await startTestServer({ rpc: [anvil.url], database: primary, config: { chains: { local: chain } } })
  onTestFinished(() => indexer.close())
  const reading: Partial<ConfigInput> = {
    ...{ databaseReadUrl: replica.url, metricsPublic: true, chains: { local: chain } },
    ...{ role: 'api', ...config },
  }
  const server = await startTestServer({ rpc: [anvil.url], database: primary, config: reading })
  onTestFinished(() => server.close())
  return { anvil, indexer, server, replica }
}
