import type { Transaction } from '../../db/database.ts'
import type { TransferGroup } from '../transfers/transferGroup.ts'

/** Records which collections got transfers of the standard that they do not have: from then on they may have tokens of both. */
export async function markMixed(tx: Transaction, groups: readonly TransferGroup[]): Promise<void> {
  for (const { collection, hasOther } of groups)
    if (hasOther)
      await tx.run('UPDATE collection SET mixed = true WHERE partition = $1 AND id = $2 AND NOT mixed', [
        collection.partition,
        collection.id,
      ])
}
