import type { Transaction } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { joinedWithin, type Within, within, withStagingTables } from '../../db/staging/stagingTables.ts'
import { revertMetadata } from '../metadata/store/revertMetadata.ts'
import { firstPositionOf, type Place } from '../transfers/position.ts'
import { sameToken, tokenHashSql } from '../transfers/tokenHash.ts'
import { isUndone, type UndoneTransfers, undoneOf } from '../transfers/transfer.ts'
import { revertStaged, undoStaging } from './revertTransfers.ts'
import type { CountChange } from './storeTransfers.ts'

/** Transfers of one collection that one transaction undoes: the last ones of its last block, from a place. */
export type UndoPart = { chainId: bigint; partition: number; id: bigint; fork: bigint; block: bigint; from: Place }

/**
 * Undoes a part of a collection's transfers above block `fork`, whose blocks above `part.block` are already undone. A token returns to its state
 * before the block once all its transfers of the block are deleted. Until then it has the positions of the whole block. An ERC-721 token also keeps
 * its owner; amount and holders of an ERC-1155 token follow each part.
 */
export async function revertPart(tx: Transaction, part: UndoPart): Promise<CountChange> {
  const { partition, id, block, from } = part
  const of = within(await joinedWithin(tx, partition))
  const undone: UndoneTransfers = {
    collections: `(SELECT partition, id AS collection_id, address FROM collection WHERE partition = ${partition} AND id = ${id}) c`,
    of,
    isPart: true,
  }
  const partial = await readPartial(tx, part)
  return withStagingTables(tx, { ...undoStaging, partition }, async () => {
    await tx.fresh.run(stageUndoPart(undone), [from.position, from.item, block, partial.map(({ tokenId }) => tokenId)])
    await countPartial(tx, part, partial)
    const { listed, deleted } = await revertStaged(tx, part, undone)
    await tx.fresh.run(deleteUndoPart(of), [block])
    await revertMetadata(tx)
    return { partition, id, listed: listed[0]?.listed ?? 0n, transfers: -(deleted.get(id) ?? 0n) }
  })
}

const partialRow = defineRow({
  tokenId: column.text('t.token_id'),
  transfers: column.int8('count(*)'),
})

/** Tokens of a part with other transfers in its block, and the number of their transfers in the part. */
async function readPartial(
  tx: Transaction,
  { partition, id, block, from }: UndoPart,
): Promise<{ tokenId: string; transfers: bigint }[]> {
  if (from.position === firstPositionOf(block) && from.item === 0) return []
  const values = [from.position, from.item, partition, id, firstPositionOf(block)]
  return (await tx.fresh.rows(selectPartial, values)).map(partialRow.decode)
}

/**
 * The previous transfer of a token is found by (token_id, position, item) as one value, which only the index transfer_token has in its order: one row
 * is read.
 */
const selectPartial = `
SELECT ${partialRow.columns} FROM transfer t
WHERE t.partition = $3 AND t.collection_id = $4 AND ${isUndone} AND EXISTS (
  SELECT 1 FROM (
    SELECT r.token_id, r.position FROM transfer r
    WHERE r.partition = $3 AND r.collection_id = $4 AND (r.token_id, r.position, r.item) < (t.token_id, $1::int8, $2::int4)
    ORDER BY r.token_id DESC, r.position DESC, r.item DESC LIMIT 1
  ) r WHERE r.token_id = t.token_id AND r.position >= $5
)
GROUP BY t.token_id`

/** Subtracts the transfers of a part from the counts of tokens with others in its block. */
async function countPartial(
  tx: Transaction,
  { partition, id }: UndoPart,
  partial: readonly { tokenId: string; transfers: bigint }[],
): Promise<void> {
  if (partial.length === 0) return
  await tx.fresh.run(
    `UPDATE token SET transfers = transfers - ($4::int8[])[array_position($3::numeric[], token_id)]
     WHERE partition = $1 AND collection_id = $2 AND token_hash = ANY(ARRAY(
       SELECT ${tokenHashSql('c.address', 'm.token_id')} FROM collection c CROSS JOIN unnest($3::numeric[]) AS m (token_id)
       WHERE c.partition = $1 AND c.id = $2
     ))`,
    [partition, id, partial.map(({ tokenId }) => tokenId), partial.map(({ transfers }) => transfers)],
  )
}

/** Tokens of a part, except ids $4, as they were before block $3. Each is looked up by key. */
const stageUndoPart = ({ collections, of }: UndoneTransfers) => `
INSERT INTO stage_undo
SELECT m.partition, m.collection_id, u.token_hash, m.address, coalesce(u.erc1155, false), u.owner, u.minter, u.last_position, u.first_position, u.minted_position, u.transfers
FROM (
  SELECT DISTINCT c.partition, c.collection_id, c.address, ${tokenHashSql('c.address', 't.token_id')} AS token_hash
  FROM ${collections} JOIN ${undoneOf} WHERE NOT t.token_id = ANY($4::numeric[])
) m
CROSS JOIN LATERAL (
  SELECT u.* FROM token_undo u
  WHERE u.partition = m.partition AND u.collection_id = m.collection_id AND u.block_number = $3
    AND u.token_hash >= m.token_hash AND u.token_hash <= m.token_hash${of('u')}
  ORDER BY u.token_hash LIMIT 1
) u`

const deleteUndoPart = (of: Within) => `
DELETE FROM token_undo u USING stage_undo s WHERE ${sameToken('u', 's')} AND u.block_number = $1${of('u', 's')}`
