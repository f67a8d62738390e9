import type { Sql } from '../db/database.ts'
import { databaseEpoch } from '../db/epoch.ts'
import { isShown } from './coinSql.ts'
import { createOffsets, type Offsets, type Start } from './createOffsets.ts'
import { type CoinPosition, type CoinQuery, isOld, mostUnsynced, type NetworkState } from './query.ts'

type StateRow = [
  id: number,
  version: bigint,
  arrangement: bigint,
  fromVersion: bigint,
  toVersion: bigint | null,
  headVersion: bigint | null,
  shownVersion: bigint,
  imports: bigint,
  failure: string | null,
  /** Milliseconds since the head was confirmed, and how many there may be. */
  headAgeMs: number | null,
  maxHeadAgeMs: number | null,
  covered: bigint | null,
  epoch: string,
]

const selectState = `
SELECT n.id, n.version, n.arrangement, n.from_version, n.to_version, n.head_version, n.shown_version, n.imports, n.failure,
  (extract(epoch FROM now() - n.confirmed_at) * 1000)::float8, n.max_head_age_ms,
  (SELECT sum(upper(r) - lower(r))::int8 FROM unnest(n.coverage * int8multirange(int8range(n.from_version, NULL))) r),
  ${databaseEpoch}
FROM coin_network n WHERE n.name = $1`

const order = 'ORDER BY c.version DESC, c.coin_type_hash'

const selectFirst = `SELECT c.record FROM coin c WHERE ${isShown} ${order} LIMIT $3 OFFSET $4`

const selectAfter = `SELECT c.record FROM coin c
WHERE ${isShown} AND c.version <= $5 AND (c.version < $5 OR c.coin_type_hash > $6) ${order} LIMIT $3 OFFSET $4`

/** One text in the order asked: 25 rows cost the database as much, and this process a third more. */
const selectByHash = `SELECT string_agg(found.record, ',') FROM (
  SELECT c.record FROM unnest($3::bytea[]) WITH ORDINALITY asked (hash, place)
  JOIN coin c ON c.coin_type_hash = asked.hash WHERE ${isShown} ORDER BY asked.place) found`

export function createCoinQuery({ db, offsets = createOffsets({ db }) }: { db: Sql; offsets?: Offsets }): CoinQuery {
  return {
    async network(name) {
      const [row] = await db.rows<StateRow>(selectState, [name])
      return row && stateOf(row)
    },

    async latest({ state, after, offset, limit }) {
      const start = after ? startAfter(state, after) : await offsets.find(state, offset)
      if (!start) return { records: [], last: null }
      const shared = [state.id, start.shownVersion, limit + 1, start.skip]
      const rows = start.after
        ? await db.rows<[string]>(selectAfter, [...shared, start.after.version, start.after.hash])
        : await db.rows<[string]>(selectFirst, shared)
      const records = rows.map(([record]) => record)
      const more = records.length > limit
      if (more) records.pop()
      return { records, last: more ? positionOf(records.at(-1)!) : null }
    },

    async byHash(state, hashes) {
      const values = [state.id, state.shownVersion, byteaArray(hashes)]
      const [row] = await db.rows<[string | null]>(selectByHash, values)
      return `[${row?.[0] ?? ''}]`
    },
  }
}

function startAfter({ shownVersion }: NetworkState, { version, hash }: CoinPosition): Start {
  return { after: { version, hash: Buffer.from(hash, 'hex') }, skip: 0, shownVersion }
}

/** An array as PostgreSQL reads it: the driver would make each of the bytes that it then writes in digits. */
function byteaArray(hashes: readonly string[]): string {
  return `{${hashes.map((hash) => `"\\\\x${hash}"`).join(',')}}`
}

function positionOf(record: string): CoinPosition {
  const { transaction_version_created, coin_type_hash } = JSON.parse(record) as Record<string, string>
  return { version: BigInt(transaction_version_created!), hash: coin_type_hash! }
}

function stateOf(row: StateRow): NetworkState {
  const [id, version, arrangement, fromVersion, toVersion, headVersion, shownVersion, imports, failure, ...rest] = row
  const [headAgeMs, maxAgeMs, covered, epoch] = rest
  const head = headAgeMs === null ? null : { ageMs: headAgeMs, maxAgeMs }
  const isCovered = headVersion !== null && (toVersion ?? fromVersion - 1n) >= headVersion
  const synced = isCovered && !(head && isOld(head))
  return {
    epoch,
    id,
    version,
    arrangement,
    fromVersion,
    toVersion,
    headVersion,
    shownVersion,
    imports,
    failure,
    head,
    synced,
    progress: synced ? 1 : progressOf(fromVersion, headVersion, covered ?? 0n),
  }
}

/** Four decimals, below 1 until everything is covered. */
function progressOf(from: bigint, head: bigint | null, covered: bigint): number {
  if (head === null || head < from) return 0
  return Math.min(mostUnsynced, Math.floor((Number(covered) / Number(head - from + 1n)) * 10_000) / 10_000)
}
