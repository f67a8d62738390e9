import { onTestFinished } from 'vitest'
import type { ConfigInput } from '../../src/config/config.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { databaseUrl } from '../database.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { type SocketProxy, startSocketProxy } from '../operations/socketProxy.ts'
import { type Replica, startReplicated } from '../startReplicated.ts'

export type ReplicatedService = {
  anvil: Anvil
  /** Indexes, and reads pages from the primary. */
  indexer: TestServer
  /** Serves pages from the replica, and indexes nothing. */
  server: TestServer
  replica: Replica
  /** In front of the replica. */
  proxy: SocketProxy
}

/** Starts two processes on one database; one of them reads pages from its replica. `chain`: settings of the chain, for both. */
export async function startReplicatedService(
  config: Partial<ConfigInput> = {},
  chain: NonNullable<ConfigInput['chains']>[string] = {},
): Promise<ReplicatedService> {
  const anvil = await startAnvil({ slotsInAnEpoch: 4 })
  onTestFinished(() => anvil.stop())
  const { primary, replica } = await startReplicated()
  const proxy = await startSocketProxy(replica.connection)
  const indexer = await startTestServer({ rpc: [anvil.url], database: primary, config: { chains: { local: chain } } })
  onTestFinished(() => indexer.close())
  const reading: Partial<ConfigInput> = {
    ...{
      databaseReadUrl: databaseUrl({ ...replica.connection, host: proxy.folder }),
      metricsPublic: true,
      chains: { local: chain },
    },
    ...{ role: 'api', ...config },
  }
  const server = await startTestServer({ rpc: [anvil.url], database: primary, config: reading })
  onTestFinished(() => server.close())
  return { anvil, indexer, server, replica, proxy }
}
