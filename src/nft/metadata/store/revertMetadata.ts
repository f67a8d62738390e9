import type { Transaction } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { lockCollectionsOf } from '../../collection/lock.ts'
import { forgetTokens } from './forgetTokens.ts'
import { queueUnknown } from './queueUnknown.ts'

const removedRow = defineRow({
  partition: column.int2('u.partition'),
  id: column.int8('u.collection_id'),
  hash: column.uuid('u.token_hash'),
})

const selectRemoved = `
SELECT ${removedRow.columns} FROM stage_undo u LEFT JOIN token t USING (partition, collection_id, token_hash)
WHERE t.token_hash IS NULL OR t.amount <= 0`

/** Removes tokens that undone blocks minted, and makes restored ones due. Must be called after the tokens in `stage_undo` are restored. */
export async function revertMetadata(tx: Transaction): Promise<void> {
  await lockCollectionsOf(tx, 'stage_undo')
  // Tokens whose burn was undone: the burn had removed their metadata.
  await tx.fresh.run(queueUnknown('stage_undo'))
  // Last, as forgetTokens ends the settings for joins with staging tables.
  await forgetTokens(tx, (await tx.fresh.rows(selectRemoved)).map(removedRow.decode))
}
