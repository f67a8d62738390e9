import type { Sql } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { databaseEpoch } from '../../db/epoch.ts'
import { headAgeColumns, headAgeOf, isOld } from '../../sync/headAge.ts'
import { type CoinPosition, type CoinQuery, mostUnsynced, type NetworkState, type Standard } from '../query.ts'
import { isShown } from './coinSql.ts'
import { readSupply } from './readSupply.ts'
import { renderFull } from './record.ts'
import { stateColumns, withState } from './stateSql.ts'

const networkRow = defineRow({
  id: column.int4('n.id'),
  version: column.int8('n.version'),
  assetVersion: column.int8('n.asset_version'),
  stateVersion: column.int8('n.state_version'),
  fromVersion: column.int8('n.from_version'),
  toVersion: column.int8('n.to_version').orNull(),
  headVersion: column.int8('n.head_version').orNull(),
  shownVersion: column.int8('n.shown_version'),
  imports: column.int8('n.imports'),
  failure: column.text('n.failure').orNull(),
  ...headAgeColumns('n'),
  /** The number of covered versions from `fromVersion` on; null: none. */
  covered: column
    .int8(
      '(SELECT sum(upper(r) - lower(r))::int8 FROM unnest(n.coverage * int8multirange(int8range(n.from_version, NULL))) r)',
    )
    .orNull(),
  epoch: databaseEpoch,
})

const selectState = `SELECT ${networkRow.columns} FROM coin_network n WHERE n.name = $1`

const order = 'ORDER BY c.version DESC, c.coin_type_hash'

/** The first page begins after `top`: without an index bound, PostgreSQL up to 17 plans a sort of all coins while there are none. */
const selectAfter = (standard: Standard, columns: string) => `SELECT ${columns} FROM coin c
WHERE ${isShown(standard)} AND c.version <= $5 AND (c.version < $5 OR c.coin_type_hash > $6) ${order} LIMIT $3 OFFSET $4`

const selectRecords = selectAfter('v1', 'c.record')

const fullRow = defineRow({
  record: column.text('c.record'),
  details: column.text('c.details').orNull(),
  ...stateColumns,
})

/** States are looked up only for the coins of the page. */
const selectFull = (standard: Standard) =>
  `SELECT ${fullRow.columns} FROM (${selectAfter(standard, 'c.*')}) c ${withState} ${order}`

/** Before the latest coin. */
const top: CoinPosition = { version: 2n ** 63n - 1n, hash: '' }

/** Returns one text in the requested order: 25 rows would cost the database the same, and this process a third more. */
const selectByHash = `SELECT string_agg(found.record, ',') FROM (
  SELECT c.record FROM unnest($3::bytea[]) WITH ORDINALITY asked (hash, place)
  JOIN coin c ON c.coin_type_hash = asked.hash WHERE ${isShown('all')} ORDER BY asked.place) found`

/** At most one visible coin per hash. LIMIT prevents a plan, made while there are no coins, that reads all of them. */
const selectFullByHash = (standard: Standard) => `SELECT ${fullRow.columns} FROM (
  SELECT found.*, asked.place FROM unnest($3::bytea[]) WITH ORDINALITY asked (hash, place)
  CROSS JOIN LATERAL (SELECT c.* FROM coin c WHERE ${isShown(standard)} AND c.coin_type_hash = asked.hash LIMIT 1) found) c
${withState} ORDER BY c.place`

export type CoinQueryOptions = {
  db: Sql
  /** Reads states that cached pages depend on, without waiting for other statements; default: `db`. */
  lookups?: Sql | undefined
}

export function createCoinQuery({ db, lookups = db }: CoinQueryOptions): CoinQuery {
  return {
    async network(name) {
      const [row] = await lookups.rows(selectState, [name])
      return row && stateOf(networkRow.decode(row))
    },

    async latest({ state, after, offset, limit, standard }) {
      const { version, hash } = after ?? top
      const skipped = after ? 0 : offset
      const values = [state.id, state.shownVersion, limit + 1, skipped, version, Buffer.from(hash, 'hex')]
      if (standard === null) {
        const rows = await db.rows<[string]>(selectRecords, values)
        return pageOf(
          rows.map(([record]) => record),
          limit,
          (record) => record,
        )
      }
      const rows = await db.rows(selectFull(standard), values)
      return pageOf(rows.map(fullRow.decode), limit, renderFull)
    },

    async byHash(state, hashes, standard) {
      const values = [state.id, state.shownVersion, byteaArray(hashes)]
      if (standard !== null) {
        const rows = await db.rows(selectFullByHash(standard), values)
        return `[${rows.map((row) => renderFull(fullRow.decode(row))).join(',')}]`
      }
      const [row] = await db.rows<[string | null]>(selectByHash, values)
      return `[${row?.[0] ?? ''}]`
    },

    supply: (state, hash, version) => readSupply(db, state, { hash, version }),
  }
}

/** A page of the first `limit` rows; one more shows that others follow. */
function pageOf<Row>(rows: Row[], limit: number, render: (row: Row) => string) {
  const more = rows.length > limit
  if (more) rows.pop()
  const records = rows.map(render)
  return { records, last: more ? positionOf(records.at(-1)!) : null }
}

/** The array as PostgreSQL text: the driver would need a Buffer per hash, and convert it to hex again. */
function byteaArray(hashes: readonly string[]): string {
  return `{${hashes.map((hash) => `"\\\\x${hash}"`).join(',')}}`
}

function positionOf(record: string): CoinPosition {
  const { transaction_version_created, coin_type_hash } = JSON.parse(record) as Record<string, string>
  return { version: BigInt(transaction_version_created!), hash: coin_type_hash! }
}

function stateOf({
  confirmedAt,
  queriedAt,
  maxHeadAgeMs,
  covered,
  ...network
}: RowOf<typeof networkRow>): NetworkState {
  const { fromVersion, toVersion, headVersion } = network
  const head = headAgeOf({ confirmedAt, queriedAt, maxHeadAgeMs })
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
