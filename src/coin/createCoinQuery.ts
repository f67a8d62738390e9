import type { Sql } from '../db/database.ts'
import { column, defineRow, type RowOf } from '../db/defineRow.ts'
import { databaseEpoch } from '../db/epoch.ts'
import { headAgeColumns, headAgeOf, isOld } from '../sync/headAge.ts'
import { isShown } from './coinSql.ts'
import { createOffsets, type Offsets, type Start } from './createOffsets.ts'
import { type CoinPosition, type CoinQuery, mostUnsynced, type NetworkState } from './query.ts'

const networkRow = defineRow({
  id: column.int4('n.id'),
  version: column.int8('n.version'),
  arrangement: column.int8('n.arrangement'),
  fromVersion: column.int8('n.from_version'),
  toVersion: column.int8('n.to_version').orNull(),
  headVersion: column.int8('n.head_version').orNull(),
  shownVersion: column.int8('n.shown_version'),
  imports: column.int8('n.imports'),
  failure: column.text('n.failure').orNull(),
  ...headAgeColumns('n'),
  /** Versions from `fromVersion` on that are covered; null: none. */
  covered: column
    .int8(
      '(SELECT sum(upper(r) - lower(r))::int8 FROM unnest(n.coverage * int8multirange(int8range(n.from_version, NULL))) r)',
    )
    .orNull(),
  epoch: databaseEpoch,
})

const selectState = `SELECT ${networkRow.columns} FROM coin_network n WHERE n.name = $1`

const order = 'ORDER BY c.version DESC, c.coin_type_hash'

/**
 * The first page is that after `top`: without a bound of the index, PostgreSQL up to 17 plans it, while there are no coins, as reading and
 * sorting all of them.
 */
const selectAfter = `SELECT c.record FROM coin c
WHERE ${isShown} AND c.version <= $5 AND (c.version < $5 OR c.coin_type_hash > $6) ${order} LIMIT $3 OFFSET $4`

/** Before the latest coin. */
const top = { version: 2n ** 63n - 1n, hash: Buffer.alloc(0) }

/** Gives one text, in the order asked: 25 rows would cost the database as much, and this process a third more. */
const selectByHash = `SELECT string_agg(found.record, ',') FROM (
  SELECT c.record FROM unnest($3::bytea[]) WITH ORDINALITY asked (hash, place)
  JOIN coin c ON c.coin_type_hash = asked.hash WHERE ${isShown} ORDER BY asked.place) found`

export type CoinQueryOptions = {
  db: Sql
  /** Reads the states that cached pages depend on, without waiting for other statements; `db` where left out. */
  lookups?: Sql | undefined
  offsets?: Offsets
}

export function createCoinQuery({ db, lookups = db, offsets = createOffsets({ db }) }: CoinQueryOptions): CoinQuery {
  return {
    async network(name) {
      const [row] = await lookups.rows(selectState, [name])
      return row && stateOf(networkRow.decode(row))
    },

    async latest({ state, after, offset, limit }) {
      const start = after ? startAfter(state, after) : await offsets.find(state, offset)
      if (!start) return { records: [], last: null }
      const { version, hash } = start.after ?? top
      const values = [state.id, start.shownVersion, limit + 1, start.skip, version, hash]
      const rows = await db.rows<[string]>(selectAfter, values)
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

/** The array in PostgreSQL's text form: the driver would want a Buffer of each hash, and write it in hex again. */
function byteaArray(hashes: readonly string[]): string {
  return `{${hashes.map((hash) => `"\\\\x${hash}"`).join(',')}}`
}

function positionOf(record: string): CoinPosition {
  const { transaction_version_created, coin_type_hash } = JSON.parse(record) as Record<string, string>
  return { version: BigInt(transaction_version_created!), hash: coin_type_hash! }
}

function stateOf({ confirmedAt, askedAt, maxHeadAgeMs, covered, ...network }: RowOf<typeof networkRow>): NetworkState {
  const { fromVersion, toVersion, headVersion } = network
  const head = headAgeOf({ confirmedAt, askedAt, maxHeadAgeMs })
  const isCovered = headVersion !== null && (toVersion ?? fromVersion - 1n) >= headVersion
  const synced = isCovered && !isOld(head)
  const progress = synced ? 1 : progressOf(fromVersion, headVersion, covered ?? 0n)
  return { ...network, head, synced, progress }
}

/** Four decimals, below 1 until everything is covered. */
function progressOf(from: bigint, head: bigint | null, covered: bigint): number {
  if (head === null || head < from) return 0
  return Math.min(mostUnsynced, Math.floor((Number(covered) / Number(head - from + 1n)) * 10_000) / 10_000)
}
