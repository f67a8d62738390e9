import type { Transaction } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { lockCollectionsOf } from '../../collection/lock.ts'
import { forgetTokens } from './forgetTokens.ts'
import { makeUnknownDue } from './makeUnknownDue.ts'

const goneRow = defineRow({
  partition: column.int2('u.partition'),
  id: column.int8('u.collection_id'),
  hash: column.uuid('u.token_hash'),
})

const selectGone = `
SELECT ${goneRow.columns} FROM stage_undo u LEFT JOIN token t USING (partition, collection_id, token_hash)
WHERE t.token_hash IS NULL OR t.amount <= 0`

/**
 * Forgets tokens that undone blocks removed, and makes due those that are back. To be called after the tokens in `stage_undo` are as
 * they were before these blocks.
 */
export async function revertMetadata(tx: Transaction): Promise<void> {
  await lockCollectionsOf(tx, 'stage_undo')
  // Tokens whose burn was undone: with the burn their metadata was forgotten.
  await tx.fresh.run(makeUnknownDue('stage_undo'))
  // Last, as forgetTokens ends the settings that staging tables are joined with.
  await forgetTokens(tx, (await tx.fresh.rows(selectGone)).map(goneRow.decode))
}
