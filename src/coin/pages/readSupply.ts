import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import type { NetworkState, SupplyAnswer } from '../query.ts'
import { supplyAt } from '../supplyPoints.ts'
import { isShown } from './coinSql.ts'
import { pairOf, stateOf } from './stateSql.ts'

const supplyRow = defineRow({
  version: column.int8('c.version'),
  hasCounter: column.bool('c.aggregator IS NOT NULL'),
  ownFirst: column.int8('own.version').orNull(),
  ownPoints: column.bytea('own.points').orNull(),
  counterFirst: column.int8('counter.version').orNull(),
  counterPoints: column.bytea('counter.points').orNull(),
  pairedFirst: column.int8('paired.version').orNull(),
  pairedPoints: column.bytea('paired.points').orNull(),
})

const select = `SELECT ${supplyRow.columns} FROM coin c
LEFT JOIN LATERAL (${stateOf('c.coin_type_hash', '$4')}) own ON true
LEFT JOIN LATERAL (${stateOf('c.aggregator', '$4')}) counter ON c.aggregator IS NOT NULL
LEFT JOIN LATERAL (${pairOf}) pair ON c.standard = 1
LEFT JOIN LATERAL (${stateOf('pair.coin_type_hash', '$4')}) paired ON pair.coin_type_hash IS NOT NULL
WHERE ${isShown('all')} AND c.coin_type_hash = $3`

/** Supply of a coin at the end of a covered version. */
export async function readSupply(
  db: Sql,
  { id, shownVersion }: NetworkState,
  { hash, version }: { hash: string; version: bigint },
): Promise<SupplyAnswer> {
  const [found] = await db.rows(select, [id, shownVersion, Buffer.from(hash, 'hex'), version])
  if (!found) return { status: 'unknownCoin' }
  const row = supplyRow.decode(found)
  if (row.version > version) return { status: 'madeLater', version: row.version }
  const at = (first: bigint | null, points: Buffer | null) =>
    first === null || points === null ? undefined : supplyAt(points, first, version)
  // Before its upgrade, the coin counted the supply itself.
  const counted = row.hasCounter ? at(row.counterFirst, row.counterPoints) : undefined
  const own = counted ?? at(row.ownFirst, row.ownPoints)
  const supply = own == null ? null : own + (at(row.pairedFirst, row.pairedPoints) ?? 0n)
  return { status: 'known', supply: supply?.toString() ?? null }
}
