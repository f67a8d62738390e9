import type { Sql, Transaction } from '../db/database.ts'
import { type BlockRange, parseMultirange } from '../sync/blockRange.ts'
import { heldBy } from '../sync/lease.ts'

/** How far a network is read. */
export type NetworkRow = {
  fromVersion: bigint
  /** Covered without a gap from `fromVersion`. */
  toVersion: bigint | null
  headVersion: bigint | null
  coverage: BlockRange[]
}

const toVersion = (coverage: string, from: string) =>
  `(SELECT upper(r) - 1 FROM unnest(${coverage}) r WHERE r @> ${from})`

/** The row of a network, made on its first use, with where its reading begins. Answers its id. */
export async function openNetwork(sql: Sql, name: string, fromVersion: bigint): Promise<number> {
  const [row] = await sql.rows<[number]>(
    `INSERT INTO coin_network AS n (name, from_version) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET from_version = excluded.from_version,
       to_version = ${toVersion('n.coverage', 'excluded.from_version')}, version = n.version + 1
     RETURNING id`,
    [name, fromVersion],
  )
  return row![0]
}

/** The chain id on record: the one given, where this is the first. */
export async function recordChainId(sql: Sql, id: number, chainId: number): Promise<number> {
  const [row] = await sql.rows<[number]>(
    'UPDATE coin_network SET chain_id = coalesce(chain_id, $2) WHERE id = $1 RETURNING chain_id',
    [id, chainId],
  )
  return row![0]
}

export async function readNetworkRow(sql: Sql, id: number): Promise<NetworkRow> {
  const [row] = await sql.rows<[bigint, bigint | null, bigint | null, string]>(
    'SELECT from_version, to_version, head_version, coverage::text FROM coin_network WHERE id = $1',
    [id],
  )
  const [fromVersion, to, headVersion, coverage] = row!
  return { fromVersion, toVersion: to, headVersion, coverage: parseMultirange(coverage) }
}

/**
 * Adds versions to the coverage and locks the network until the transaction ends. Undefined where it may not be: this
 * worker lost the network, or one of the versions is covered. Else what is shown before and after.
 */
export async function cover(
  tx: Transaction,
  options: { id: number; from: bigint; to: bigint; head: bigint; worker: number },
): Promise<{ shownBefore: bigint; shown: bigint; toVersion: bigint | null; head: bigint } | undefined> {
  const { id, from, to, head, worker } = options
  const reached = toVersion('n.coverage + $2::int8range::int8multirange', 'n.from_version')
  const [row] = await tx.rows<[bigint, bigint, bigint | null, bigint]>(
    `WITH before AS (SELECT id, shown_version FROM coin_network WHERE id = $1 FOR UPDATE)
     UPDATE coin_network n SET coverage = n.coverage + $2::int8range::int8multirange, to_version = ${reached},
       shown_version = greatest(n.shown_version, ${reached}), head_version = greatest(n.head_version, $3),
       failure = NULL, updated_at = now()
     FROM before
     WHERE n.id = before.id AND NOT n.coverage && $2::int8range AND ${heldBy('aptos', '$1', '$4')}
     RETURNING before.shown_version, n.shown_version, n.to_version, n.head_version`,
    [id, `[${from},${to}]`, head, worker],
  )
  if (!row) return undefined
  const [shownBefore, shown, reachedVersion, headVersion] = row
  return { shownBefore, shown, toVersion: reachedVersion, head: headVersion }
}

/** Coins that were stored out of order become shown when the versions before them are covered. */
export async function anyCoinWithin(sql: Sql, id: number, above: bigint, to: bigint): Promise<boolean> {
  const rows = await sql.rows(
    'SELECT 1 FROM coin WHERE network_id = $1 AND shown AND version > $2 AND version <= $3 LIMIT 1',
    [id, above, to],
  )
  return rows.length > 0
}

/** Pages that were made before are stale. `imports`: how many imported records came or went. */
export async function raiseVersion(sql: Sql, id: number, imports: number): Promise<void> {
  await sql.run('UPDATE coin_network SET version = version + 1, imports = imports + $2 WHERE id = $1', [id, imports])
}

/** The head as the source tells it now, though it was once said to be further: then that was not so. */
export async function noteHead(sql: Sql, id: number, head: bigint): Promise<void> {
  await sql.run('UPDATE coin_network SET head_version = greatest(to_version, $2), updated_at = now() WHERE id = $1', [
    id,
    head,
  ])
}

/** Everything up to the head is read, so whatever was wrong is over. */
export async function clearNetworkFailure(sql: Sql, id: number): Promise<void> {
  await sql.run('UPDATE coin_network SET failure = NULL WHERE id = $1 AND failure IS NOT NULL', [id])
}

export async function noteNetworkFailure(sql: Sql, id: number, failure: string): Promise<void> {
  await sql.run('UPDATE coin_network SET failure = $2, updated_at = now() WHERE id = $1', [id, failure.slice(0, 1_000)])
}
