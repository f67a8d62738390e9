import type { Transaction } from '../../db/database.ts'
import { revertMetadata } from '../metadata/store/revertMetadata.ts'
import { firstPositionOf } from '../transfers/position.ts'
import { revertLeftOut } from './leftOut.ts'
import * as revert from './revertSql.ts'
import { deleteGoneBalances, mergeBalances, prepareStage, setSoleHolders } from './storeSql.ts'
import type { ListedChange } from './storeTransfers.ts'

/** Takes back every transfer above block `fork` of all followed collections of a chain, exactly. */
export async function revertTransfers(tx: Transaction, chainId: bigint, fork: bigint): Promise<ListedChange[]> {
  const position = firstPositionOf(fork + 1n)
  await revertLeftOut(tx, chainId, fork)
  await tx.script(prepareStage + revert.prepareUndo)
  const touched = await tx.fresh.run(revert.stageUndo, [chainId, fork])
  if (touched === 0) return []
  const before = await tx.fresh.rows<[number, bigint, bigint]>(revert.selectListedNow)
  await tx.fresh.run(revert.stageReversedBalances, [position])
  await tx.fresh.run(revert.stageReversedAmounts, [position])
  await tx.fresh.run(mergeBalances)
  await tx.fresh.run(deleteGoneBalances)
  await tx.fresh.run(revert.restoreSummed)
  await tx.fresh.run(revert.restoreTokens)
  await tx.fresh.run(revert.deleteNewTokens)
  await tx.fresh.run(setSoleHolders)
  await tx.fresh.run(revert.revertRangeMoves, [position])
  await tx.fresh.run(revert.deleteTransfers, [position])
  await tx.fresh.run(revert.deleteUndo, [chainId, fork])
  await revertMetadata(tx)
  const after = await tx.fresh.rows<[number, bigint, bigint]>(revert.selectListedNow)
  const listedAfter = new Map(after.map(([partition, id, listed]) => [`${partition}:${id}`, listed]))
  return before.map(([partition, id, listed]) => ({
    partition,
    id,
    listed: (listedAfter.get(`${partition}:${id}`) ?? 0n) - listed,
  }))
}

/** Blocks of a chain up to `number`, or all, are not undone any more. */
export async function forgetUndo(tx: Transaction, chainId: bigint, number?: bigint): Promise<void> {
  if (number === undefined) await tx.run('DELETE FROM token_undo WHERE chain_id = $1', [chainId])
  else await tx.run('DELETE FROM token_undo WHERE chain_id = $1 AND block_number <= $2', [chainId, number])
}
