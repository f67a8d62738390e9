import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { maxHeadAgeOf } from '../sync/headAge.ts'
import type { Leases } from '../sync/leases/lease.ts'
import type { ByteBudget } from '../util/byteBudget.ts'
import type { Log } from '../util/log.ts'
import { sleep } from '../util/wait.ts'
import type { WorkPriority } from '../util/workPriority.ts'
import { createNetwork, type Network } from './createNetwork.ts'
import type { NetworkSettings } from './networkSettings.ts'
import { openSource } from './openSource.ts'
import { readNetworks } from './readNetworks.ts'

/** The configured networks. */
export type Coins = {
  /** Lease keys of the networks. */
  ids: readonly bigint[]
  /** Networks whose source has not responded yet. */
  unanswered(): string[]
  /** Reads the networks with held leases until `close`. */
  read(leases: Leases): void
  /** Idempotent. */
  close(): Promise<void>
}

/** Opens every network and queries each source until it responds. */
export async function openCoins(options: {
  settings: Record<string, NetworkSettings>
  db: Database
  workPriority: Pick<WorkPriority, 'schedule'>
  /** Byte budget of all node responses in progress in this process. */
  budget: ByteBudget
  metrics: Metrics
  log: Log
}): Promise<Coins> {
  const { settings, db, workPriority, budget, metrics, log } = options
  const stop = new AbortController()
  const networks: Network[] = []
  for (const [name, network] of Object.entries(settings))
    networks.push(
      await createNetwork(db, {
        name,
        startVersion: BigInt(network.startVersion),
        chainId: network.chainId,
        rangesInFlight: network.rangesInFlight,
        rangeWidth: network.rangeWidth,
        maxHeadAgeMs: maxHeadAgeOf(network),
        open: (chainId) => openSource({ name, settings: network, chainId, budget, metrics, log }),
      }),
    )
  const unanswered = new Set(networks.map(({ name }) => name))

  async function request(network: Network): Promise<void> {
    let failures = 0
    for (let pause = 250; !stop.signal.aborted; pause = Math.min(10_000, pause * 2)) {
      try {
        await network.check(stop.signal)
        unanswered.delete(network.name)
        if (failures > 0) log.info({ network: network.name, failures }, 'aptos network reachable')
        return
      } catch (error) {
        failures += 1
        if (!stop.signal.aborted) log.warn({ network: network.name, err: error }, 'aptos network unreachable')
        await sleep(pause, stop.signal)
      }
    }
  }

  const running = networks.map(request)
  let closed: Promise<void> | undefined

  async function close(): Promise<void> {
    stop.abort()
    await Promise.all(running)
    await Promise.all(networks.map((network) => network.close()))
  }

  return {
    ids: networks.map(({ id }) => BigInt(id)),
    unanswered: () => [...unanswered].map((name) => `aptos ${name}`),
    read(leases) {
      running.push(readNetworks({ networks, leases, db, workPriority, metrics, log, signal: stop.signal }))
    },
    close() {
      closed ??= close()
      return closed
    },
  }
}
