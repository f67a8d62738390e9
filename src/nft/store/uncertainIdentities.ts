import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { bufferToHex } from '../../util/hex.ts'
import { raisedVersion } from '../collection/version.ts'
import { announceContracts } from '../metadata/store/contractStore.ts'
import { sweepAnew } from '../metadata/store/sweep.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'

const identityRow = defineRow({
  partition: column.int2('partition'),
  id: column.int8('id'),
  chainId: column.int8('chain_id'),
  address: column.bytea('address').map(bufferToHex),
  standard: column.text<Standard>('standard').orNull(),
  /** The contract itself returned its standard. */
  bySelf: column.bool('standard IS NOT NULL AND by_self'),
  /** It has no tokens so far, and was queried: its Transfers without an indexed token id are of coins. */
  coins: column.bool('standard IS NULL AND coins'),
  name: column.text('name').orNull(),
  symbol: column.text('symbol').orNull(),
  transfers: column.int8('transfers'),
})

/** Identity of a contract that was read at a block above the fork, and so may be wrong. */
export type UncertainIdentity = RowOf<typeof identityRow>

/** Marks collections of a chain whose contracts were identified above the undone block `fork`: they are queried again. */
export async function markUncertain(tx: Transaction, chainId: bigint, fork: bigint): Promise<void> {
  await tx.run(
    `UPDATE collection SET identity_undone = true, ${raisedVersion()}
     WHERE chain_id = $1 AND learned_block > $2 AND NOT identity_undone AND status IN ('syncing', 'live', 'failed', 'none')`,
    [chainId, fork],
  )
}

/** The marked collections of a chain. */
export async function readUncertain(sql: Sql, chainId: bigint): Promise<UncertainIdentity[]> {
  const text = `SELECT ${identityRow.columns} FROM collection WHERE chain_id = $1 AND identity_undone`
  return (await sql.rows(text, [chainId])).map(identityRow.decode)
}

/**
 * The contract returned the same facts at the followed block `block`. All metadata is read again: history records no events of updates, so nothing else
 * shows which of them was in an undone block.
 */
export async function confirmIdentity(
  tx: Transaction,
  { partition, id }: UncertainIdentity,
  block: bigint,
): Promise<void> {
  await tx.run(
    `UPDATE collection SET identity_undone = false, learned_block = greatest(learned_block, $3), ${sweepAnew(`'{(,)}'`)}, ${raisedVersion()}
     WHERE partition = $1 AND id = $2 AND identity_undone`,
    [partition, id, block],
  )
  await announceContracts(tx, [{ partition, id }], 0)
}
