import { type FaultProxy, startFaultProxy } from '../test/faultProxy.ts'
import { type MetadataHost, startMetadataHost } from '../test/metadataHost.ts'
import { type WorldContract, worldContracts } from './chain/contracts.ts'
import { createWorldChain, type WorldChain } from './chain/worldChain.ts'
import { startWorldNode, type WorldNode } from './chain/worldNode.ts'
import type { OwnedStream } from './clients/ownedStream.ts'
import { createWorldClient, type WorldClient } from './clients/worldClient.ts'
import type { Journal } from './journal.ts'
import { type Aptos, startAptos } from './outside/aptos.ts'
import { type Receivers, startReceivers } from './outside/receivers.ts'
import { startCitusDatabase } from './processes/citusDatabase.ts'
import { startWorldDatabase, type WorldDatabase } from './processes/database.ts'
import { startWorldProcess, type WorldProcess, type WorldProgram } from './processes/worldProcess.ts'
import { worldConfig } from './worldConfig.ts'

/** The size of a world. */
export type WorldSize = {
  /** Blocks before the first request. */
  history: number
  processes: { api: number; sync: number; deliver: number }
  nodes: number
  /** Whether the database is a Citus cluster. */
  citus?: boolean
  /** The scope of wallets; omitted: `indexed`. */
  wallets?: 'chain' | 'indexed'
} & WorldProgram

export const worldSize: WorldSize = { history: 220, processes: { api: 2, sync: 2, deliver: 2 }, nodes: 2 }

/** A running world with everything that its seed decides. */
export type World = {
  seed: number
  journal: Journal
  chain: WorldChain
  contracts: readonly WorldContract[]
  wallets: 'chain' | 'indexed'
  nodes: readonly { node: WorldNode; proxy: FaultProxy }[]
  hosts: MetadataHost
  receivers: Receivers
  aptos: Aptos
  /** The streams that clients created. */
  streams: OwnedStream[]
  database: WorldDatabase
  processes: readonly WorldProcess[]
  client: WorldClient
  stop(): Promise<void>
}

/** Starts the world of a seed and resolves when every process is ready. Everything that it started ends with this process in any case. */
export async function startWorld(seed: number, size: WorldSize, journal: Journal): Promise<World> {
  const { wallets = 'indexed' } = size
  const ends: (() => Promise<void> | void)[] = []
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    const hosts = await startMetadataHost(seed, { fail: 0.1, delay: 0.1, limit: 0.03, missing: 0.05, broken: 0.05 })
    ends.push(hosts.close)
    const receivers = await startReceivers(seed, journal)
    const aptos = await startAptos(seed)
    ends.push(receivers.close, aptos.close)
    const contracts = worldContracts(hosts.url, size.history + 30)
    const chain = createWorldChain(seed, contracts)
    for (let i = 0; i < size.history; i++) chain.add()
    const nodes: { node: WorldNode; proxy: FaultProxy }[] = []
    for (let i = 0; i < size.nodes; i++) {
      const node = await startWorldNode(chain)
      const proxy = await startFaultProxy({ target: node.url, seed: seed + i })
      ends.push(node.close, proxy.stop)
      nodes.push({ node, proxy })
    }
    const database = await (size.citus ? startCitusDatabase() : startWorldDatabase())
    ends.push(database.stop)
    if (!database.canFill)
      journal.log('the disk is not filled in this run: only root may mount one of its own, and a cluster has none')
    const config = worldConfig({
      databaseUrl: database.url,
      rpc: nodes.map(({ proxy }) => proxy.url),
      aptos: aptos.source,
      wallets,
    })
    const processes: WorldProcess[] = []
    for (const role of ['api', 'sync', 'deliver'] as const)
      for (let i = 1; i <= size.processes[role]; i++) {
        const started = await startWorldProcess(role, `${role} ${i}`, config, journal, size)
        processes.push(started)
        ends.push(started.stop)
      }
    const limit = AbortSignal.timeout(300_000)
    await Promise.all(processes.map((started) => started.untilReady(limit)))
    const client = createWorldClient(
      processes.filter(({ role }) => role === 'api').map(({ url }) => url),
      journal,
    )
    return {
      seed,
      journal,
      chain,
      contracts,
      wallets,
      nodes,
      hosts,
      receivers,
      aptos,
      streams: [],
      database,
      processes,
      client,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
