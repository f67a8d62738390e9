import type { Transaction } from '../../../db/database.ts'
import { lockCollections } from '../../collection/lock.ts'
import { forgetTokens } from './forgetTokens.ts'
import { makeUnknownDue } from './makeUnknownDue.ts'

const selectGone = `
SELECT u.partition, u.collection_id, u.token_hash::text FROM stage_undo u LEFT JOIN token t USING (partition, collection_id, token_hash)
WHERE t.token_hash IS NULL OR t.amount <= 0`

/**
 * Forgets tokens that are gone with undone blocks, and makes due those that are back. To be called after the tokens in `stage_undo` are as
 * they were before these blocks.
 */
export async function revertMetadata(tx: Transaction): Promise<void> {
  await tx.fresh.rows(lockCollections('stage_undo'))
  const gone = await tx.fresh.rows<[number, bigint, string]>(selectGone)
  await forgetTokens(tx, {
    partitions: gone.map(([partition]) => partition),
    collections: gone.map(([, id]) => id),
    hashes: gone.map(([, , hash]) => hash),
  })
  // Tokens whose burn was undone: with the burn their documents were forgotten.
  await tx.fresh.run(makeUnknownDue('stage_undo'))
}
