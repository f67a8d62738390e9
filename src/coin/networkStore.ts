import type { Sql, Transaction } from '../db/database.ts'
import { column, defineRow, type RowOf } from '../db/defineRow.ts'
import { parseMultirange } from '../sync/blockRange.ts'
import { heldBy } from '../sync/leases/lease.ts'

const networkRow = defineRow({
  fromVersion: column.int8('from_version'),
  /** The last version covered without a gap from `fromVersion`. */
  toVersion: column.int8('to_version').orNull(),
  headVersion: column.int8('head_version').orNull(),
  coverage: column.text('coverage::text').map(parseMultirange),
})

/** Progress of a network. */
export type NetworkRow = RowOf<typeof networkRow>

const toVersion = (coverage: string, from: string) =>
  `(SELECT upper(r) - 1 FROM unnest(${coverage}) r WHERE r @> ${from})`

/**
 * Creates the row of a network on first use, and stores where reading begins. If it begins later than before, coins that were read above become
 * visible. Returns the row's id.
 */
export async function openNetwork(
  sql: Sql,
  name: string,
  fromVersion: bigint,
  maxHeadAgeMs: number | null = null,
): Promise<number> {
  const reached = toVersion('n.coverage', 'excluded.from_version')
  const [row] = await sql.rows<[number]>(
    `INSERT INTO coin_network AS n (name, from_version, max_head_age_ms) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET from_version = excluded.from_version, max_head_age_ms = excluded.max_head_age_ms,
       to_version = ${reached}, shown_version = greatest(n.shown_version, ${reached}), version = n.version + 1,
       asset_version = n.asset_version + 1
     RETURNING id`,
    [name, fromVersion, maxHeadAgeMs],
  )
  return row![0]
}

/** The stored chain id; undefined before a source has answered. */
export async function readChainId(sql: Sql, id: number): Promise<number | undefined> {
  const [row] = await sql.rows<[number | null]>('SELECT chain_id FROM coin_network WHERE id = $1', [id])
  return row![0] ?? undefined
}

/** The stored chain id: the given one, if it is the first. */
export async function recordChainId(sql: Sql, id: number, chainId: number): Promise<number> {
  const [row] = await sql.rows<[number]>(
    'UPDATE coin_network SET chain_id = coalesce(chain_id, $2) WHERE id = $1 RETURNING chain_id',
    [id, chainId],
  )
  return row![0]
}

export async function readNetworkRow(sql: Sql, id: number): Promise<NetworkRow> {
  const [row] = await sql.rows(`SELECT ${networkRow.columns} FROM coin_network WHERE id = $1`, [id])
  return networkRow.decode(row!)
}

const coveredRow = defineRow({
  shownBefore: column.int8('before.shown_version'),
  shown: column.int8('n.shown_version'),
  toVersion: column.int8('n.to_version').orNull(),
  /** Covered without a gap from 0, before and now. */
  wholeBefore: column.int8(toVersion('before.coverage', '0::bigint')).orNull(),
  whole: column.int8(toVersion('n.coverage', '0::bigint')).orNull(),
  head: column.int8('n.head_version'),
})

/**
 * Adds versions to the coverage and locks the network until the transaction ends. `live`: the versions came from the head, which they confirm;
 * `failure`: a remaining error. Undefined: nothing was added, as this worker lost the network or a version is already covered. Else the visible
 * versions before and now.
 */
export async function cover(
  tx: Transaction,
  options: {
    id: number
    from: bigint
    to: bigint
    head: bigint
    live: boolean
    worker: number
    failure: string | null
  },
): Promise<RowOf<typeof coveredRow> | undefined> {
  const { id, from, to, head, live, worker, failure } = options
  const reached = toVersion('n.coverage + $2::int8range::int8multirange', 'n.from_version')
  const [row] = await tx.rows(
    `WITH before AS (SELECT id, shown_version, coverage FROM coin_network WHERE id = $1 FOR UPDATE)
     UPDATE coin_network n SET coverage = n.coverage + $2::int8range::int8multirange, to_version = ${reached},
       shown_version = greatest(n.shown_version, ${reached}), head_version = greatest(n.head_version, $3),
       confirmed_at = CASE WHEN $5 THEN now() ELSE n.confirmed_at END, failure = $6, updated_at = now()
     FROM before
     WHERE n.id = before.id AND NOT n.coverage && $2::int8range AND ${heldBy('aptos', '$1', '$4')}
     RETURNING ${coveredRow.columns}`,
    [id, `[${from},${to}]`, head, worker, live, failure],
  )
  return row && coveredRow.decode(row)
}

/** Number of coins between two versions, at most one per standard: coins stored out of order become visible once earlier versions are covered. */
export async function countWithin(sql: Sql, id: number, above: bigint, to: bigint): Promise<Change> {
  const any = (standard: number) => `SELECT ${standard} WHERE EXISTS (
    SELECT 1 FROM coin WHERE network_id = $1 AND shown AND standard = ${standard} AND version > $2 AND version <= $3)`
  const rows = await sql.rows<[standard: number]>(`${any(1)} UNION ALL ${any(2)}`, [id, above, to])
  return changeOf(rows.map(([standard]) => standard))
}

/**
 * Invalidates cached pages that show a change of `coins`, `assets` or `states`. `imports`: number of added or removed imported records.
 */
export async function raiseNetworkVersions(
  sql: Sql,
  id: number,
  { imports, coins, assets, states }: { imports: number; coins: boolean; assets: boolean; states: boolean },
): Promise<void> {
  if (!coins && !assets && !states) return
  await sql.run(
    `UPDATE coin_network SET imports = imports + $2, version = version + $3, asset_version = asset_version + $4,
       state_version = state_version + $5 WHERE id = $1`,
    [id, imports, ...[coins, assets, states].map(Number)],
  )
}

/**
 * Stores the head that a source has just reported, even below an earlier, wrong one. A head below the stored versions confirms nothing, as the source
 * lags. If everything up to the head is stored, an earlier failure is over. `worker`: stored only while this worker holds the network.
 */
export async function noteNetworkHead(sql: Sql, id: number, head: bigint, worker?: number): Promise<void> {
  await sql.run(
    `UPDATE coin_network SET head_version = greatest(to_version, $2),
       confirmed_at = CASE WHEN to_version > $2 THEN confirmed_at ELSE now() END,
       failure = CASE WHEN to_version = $2 THEN NULL ELSE failure END, updated_at = now()
     WHERE id = $1 AND ($3::integer IS NULL OR ${heldBy('aptos', '$1', '$3')})`,
    [id, head, worker ?? null],
  )
}

/** Stores why the network is not read now, if the worker still holds it. */
export async function noteNetworkFailure(
  sql: Sql,
  id: number,
  { worker, failure }: { worker: number | undefined; failure: string },
): Promise<void> {
  if (worker === undefined) return
  await sql.run(
    `UPDATE coin_network SET failure = $2, updated_at = now() WHERE id = $1 AND ${heldBy('aptos', '$1', '$3')}`,
    [id, failure.slice(0, 1_000), worker],
  )
}

/** Number of coins of `0x1::coin` and of fungible assets. */
export type Change = { coins: number; assets: number }

/** From the standards of rows. */
export function changeOf(standards: readonly number[]): Change {
  const assets = standards.filter((standard) => standard === 2).length
  return { coins: standards.length - assets, assets }
}
