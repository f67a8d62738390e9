import type { AdminOverview, Overview } from '../../api/admin/overview.ts'
import type { Config } from '../../config/config.ts'
import { readDatabaseBytes, readSizes } from '../../db/cluster/readSizes.ts'
import type { Database, Sql } from '../../db/database.ts'
import { isConnectionError } from '../../db/databaseError.ts'
import { withinTime } from '../../db/inSnapshot.ts'
import { countPendingMedia } from '../../nft/media/mediaStore.ts'
import { countPendingMetadata, mostPendingCounted } from '../../nft/metadata/metadataSummary.ts'
import { countByStatus } from '../../nft/store/collectionStore.ts'
import { countStreams } from '../../stream/definition/streamStore.ts'
import { countDeliveries } from '../../stream/ledger/answers/countDeliveries.ts'
import { readDiskSpace } from '../../util/files/diskReserve.ts'
import { readMinuteRates } from '../processes/minuteCounts.ts'
import { type OwnProcess, readProcesses, type ServingProcess } from '../processes/processStore.ts'

export type AdminOverviewOptions = {
  /** With a statement timeout. */
  db: Database
  own: OwnProcess
  dataDir: string
  /** Why this process cannot write to its disks now; empty: it can. */
  diskFaults: () => string[]
  /** The nodes of the database's cluster that do not answer. */
  unreachableNodes: () => readonly string[]
  /** The work that this process delays because of load. */
  backpressure: () => Promise<Overview['backpressure']>
  /** Time limit of a statement, in milliseconds. */
  partMs?: number
  /** Time after which no further part is read, in milliseconds. */
  wholeMs?: number
  /** Time for which one overview serves all requests, in milliseconds. */
  freshMs?: number
}

export function createAdminOverview(options: AdminOverviewOptions): AdminOverview {
  const { db, own, dataDir, diskFaults, unreachableNodes, backpressure } = options
  const { partMs = 1_000, wholeMs = 4_000, freshMs = 1_000 } = options
  let latest: { overview: Promise<Overview>; at: number } | undefined

  async function read(): Promise<Overview> {
    const end = performance.now() + wholeMs
    const missing: Overview['missing'] = []
    let isThere = false

    async function part<T>(name: string, of: (sql: Sql) => Promise<T>, settings?: string): Promise<T | null> {
      const found = await readPart(of, settings)
      if (typeof found === 'object') {
        isThere = true
        return found.read
      }
      missing.push({ part: name, reason: found })
      return null
    }

    /** The part, or the reason why it is missing. */
    async function readPart<T>(of: (sql: Sql) => Promise<T>, settings?: string): Promise<{ read: T } | string> {
      if (performance.now() >= end) return 'earlier parts took all the time'
      try {
        const read = await withinTime(db, partMs, of, settings)
        return read === undefined ? `took longer than ${partMs / 1_000} s` : { read }
      } catch (error) {
        // If other parts were read, this one is on an unreachable cluster node.
        if (isThere && isConnectionError(error)) return 'a part of the database cannot be reached'
        throw error
      }
    }

    // One after another, the cheapest first: an overview uses one connection.
    const processes = await part('processes', readProcesses)
    const rates = await part('rates', readMinuteRates)
    const streams = await part('queue.streams', countStreams)
    const database = await part('database', async (sql) => {
      const kinds = await readSizes(sql)
      return { bytes: await readDatabaseBytes(sql, kinds), kinds }
    })
    const webhooks = await part('queue.webhooks', (sql) => countDeliveries(sql, { streamId: null, status: 'pending' }))
    const metadata = await part('queue.metadata', countPendingMetadata)
    const previews = await part('queue.previews', (sql) => countPendingMedia(sql, mostPendingCounted), noScan)
    const collections = await part('queue.collections', countByStatus)
    const space = await readDiskSpace(dataDir)
    return {
      version: own.version,
      role: own.role,
      startedAt: own.startedAt.toISOString(),
      uptimeSeconds: Math.max(0, Math.floor((Date.now() - own.startedAt.getTime()) / 1_000)),
      processes: processes?.map((one) => shownProcess(one, own)) ?? null,
      database,
      nodesAway: [...unreachableNodes()],
      disk: { freeBytes: space?.free ?? null, totalBytes: space?.total ?? null, faults: diskFaults() },
      backpressure: await backpressure(),
      queue: {
        collections,
        streams,
        webhooks,
        metadata: metadata && { ...metadata, more: isCutOff(metadata.due + metadata.failed + metadata.parked) },
        previews: previews === null ? null : { due: previews, more: isCutOff(previews) },
      },
      rates: rates && { from: rates.from.toISOString(), ...rates.series },
      missing,
    }
  }

  return () => {
    if (latest && performance.now() - latest.at < freshMs) return latest.overview
    const overview = read()
    const reading = { overview, at: Number.POSITIVE_INFINITY }
    latest = reading
    overview.then(
      () => {
        reading.at = performance.now()
      },
      () => {
        if (latest === reading) latest = undefined
      },
    )
    return overview
  }
}

/** Makes PostgreSQL count due previews by their index, however many there are. */
const noScan = 'SET LOCAL enable_seqscan = off'

const isCutOff = (counted: number) => counted >= mostPendingCounted

function shownProcess({ startedAt, heartbeatAt, role, ...rest }: ServingProcess, own: OwnProcess) {
  return {
    ...rest,
    role: role as Config['role'],
    startedAt: startedAt.toISOString(),
    heartbeatAt: heartbeatAt.toISOString(),
    answering: rest.id === own.id,
  }
}
