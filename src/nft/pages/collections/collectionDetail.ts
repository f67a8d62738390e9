import type { Database, Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { withinTime } from '../../../db/inSnapshot.ts'
import { bufferToHex, type Hex } from '../../../util/hex.ts'
import {
  type MetadataHost,
  type MetadataSummary,
  readMetadataCounts,
  readMetadataHosts,
  withSweep,
} from '../../metadata/metadataSummary.ts'
import type { CollectionState } from '../../query.ts'
import { readVerdict, type Verdict } from '../../spam/verdict.ts'
import { type ReadingRate, readRates } from '../../store/readingRate.ts'
import { blockOfPosition, logIndexOfPosition } from '../../transfers/position.ts'
import type { KeptResults } from './keepByCost.ts'

type Key = { partition: number; id: bigint }

/** The API key that first requested a collection. */
export type Requester = {
  /** 0 for the configured key. */
  keyId: bigint
  /** The key's name; null for the configured key and a deleted one. */
  name: string | null
}

/** A log with omitted transfers: all, as it has too many tokens (`wide`), or those beyond `sync.maxTokens` (`surplus`). */
export type SkippedLog = {
  block: bigint
  logIndex: number
  reason: 'wide' | 'surplus'
  transfers: bigint
  transactionHash: Hex
}

/** Facts of a collection besides its state. */
export type CollectionDetail = {
  requestedAt: Date
  requestedBy: Requester | null
  rate: ReadingRate
  verdict: Verdict
  /** null here and below: counting took too long. */
  metadata: MetadataSummary | null
  hosts: MetadataHost[] | null
  /** The latest logs with omissions, at most `mostLogs`. */
  skippedLogs: SkippedLog[]
  /** Number of previews by status, without unrequested ones. */
  previews: Record<string, bigint> | null
}

/** Most logs in `skippedLogs`. */
export const mostLogs = 20

export type CollectionDetailOptions = {
  /** Time limit of each count over tokens. */
  countMs: number
  /** Keeps these counts, for example while a page polls them. Omitted: they are always current. */
  kept?: KeptResults
}

/** Reads everything about a collection. Counts over its tokens are null if they take longer than `countMs`. undefined: the collection was removed. */
export async function readCollectionDetail(
  db: Database,
  key: Key & Pick<CollectionState, 'epoch'>,
  { countMs, kept = (_, work) => work() }: CollectionDetailOptions,
): Promise<CollectionDetail | undefined> {
  const request = await readRequest(db, key)
  const verdict = await readVerdict(db, key)
  if (!request || !verdict) return undefined
  const none: ReadingRate = { blocksPerSecond: null, secondsLeft: null }
  const counted = <T>(name: string, count: (sql: Sql, key: Key) => Promise<T>) =>
    kept(`${name} ${key.epoch}:${key.partition}/${key.id}`, async () => {
      return (await withinTime(db, countMs, (sql) => count(sql, key))) ?? null
    })
  const counts = await counted('metadata', readMetadataCounts)
  return {
    ...request,
    rate: (await readRates(db, [key])).get(key.id) ?? none,
    verdict,
    metadata: counts && (await withSweep(db, key, counts)),
    hosts: await counted('hosts', readMetadataHosts),
    skippedLogs: await readSkippedLogs(db, key),
    previews: await counted('previews', countPreviews),
  }
}

const requestRow = defineRow({
  requestedAt: column.timestamptz('c.requested_at'),
  keyId: column.int8('c.requested_by').orNull(),
  name: column.text('k.name').orNull(),
})

async function readRequest(sql: Sql, { partition, id }: Key) {
  const [row] = await sql.rows(
    `SELECT ${requestRow.columns} FROM collection c LEFT JOIN api_key k ON k.id = c.requested_by
     WHERE c.partition = $1 AND c.id = $2`,
    [partition, id],
  )
  if (!row) return undefined
  const { requestedAt, keyId, name } = requestRow.decode(row)
  return { requestedAt, requestedBy: keyId === null ? null : { keyId, name } }
}

const skippedRow = defineRow({
  position: column.int8('position'),
  reason: column.text<SkippedLog['reason']>('reason'),
  transfers: column.numeric('transfers'),
  transactionHash: column.bytea('transaction_hash').map(bufferToHex),
})

async function readSkippedLogs(sql: Sql, { partition, id }: Key): Promise<SkippedLog[]> {
  const rows = await sql.rows(
    `SELECT ${skippedRow.columns} FROM left_out WHERE partition = $1 AND collection_id = $2
     ORDER BY position DESC LIMIT ${mostLogs}`,
    [partition, id],
  )
  return rows.map(skippedRow.decode).map(({ position, ...log }) => ({
    block: blockOfPosition(position),
    logIndex: logIndexOfPosition(position),
    ...log,
  }))
}

async function countPreviews(sql: Sql, { partition, id }: Key): Promise<Record<string, bigint>> {
  const rows = await sql.rows<[string, bigint]>(
    'SELECT status, count(*) FROM media WHERE partition = $1 AND collection_id = $2 AND NOT is_file GROUP BY status ORDER BY status',
    [partition, id],
  )
  return Object.fromEntries(rows)
}
