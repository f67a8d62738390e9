import type { Sql, Transaction } from '../../db/database.ts'
import { lookUpInOrder, within, withStagingTables } from '../../db/staging/stagingTables.ts'
import { bufferToHex } from '../../util/hex.ts'
import { raisedVersion } from '../collection/version.ts'
import { coveredUpTo } from '../store/liveCollections.ts'
import { blockOfPosition, firstPositionOf, positionsPerBlock } from '../transfers/position.ts'
import { zeroBytes } from '../transfers/transfer.ts'
import { forgetUndone } from './forgetKnown.ts'
import type { WalletKey } from './movesOf.ts'
import { mergeHoldings, movesOfToken } from './storeMoves.ts'

/** The block down to which one transaction undoes, of at most `most` moves: see `BlockHandler.undoTo`. The cursor's block if it alone has more. */
export async function movesUndoneTo(
  sql: Sql,
  chainId: bigint,
  { fork, cursor, most }: { fork: bigint; cursor: bigint; most: number },
): Promise<bigint> {
  const [row] = await sql.rows<[bigint]>(selectUndone, [chainId, fork, cursor, most])
  return row?.[0] ?? fork
}

const movesOfBlocks = `wallet_move_block b JOIN wallet_move m ON m.partition = b.partition AND m.wallet_id = b.wallet_id
  AND m.position >= b.block_number * ${positionsPerBlock} AND m.position < (b.block_number + 1) * ${positionsPerBlock}`

const selectUndone = `
SELECT b.block_number FROM ${movesOfBlocks} WHERE b.chain_id = $1 AND b.block_number > $2 AND b.block_number <= $3
ORDER BY b.block_number DESC OFFSET $4 LIMIT 1`

/** Number of a wallet's moves in blocks before `block`. */
export async function movesBefore(sql: Sql, { partition, id }: WalletKey, block: bigint): Promise<number> {
  const [row] = await sql.rows<[bigint]>(
    'SELECT count(*) FROM wallet_move WHERE partition = $1 AND wallet_id = $2 AND position < $3',
    [partition, id, firstPositionOf(block)],
  )
  return Number(row![0])
}

/** Number of moves by wallet in a block that can be undone. */
export async function countMovesIn(sql: Sql, chainId: bigint, block: bigint): Promise<[WalletKey, number][]> {
  const rows = await sql.rows<[number, bigint, bigint]>(
    `SELECT m.partition, m.wallet_id, count(*) FROM ${movesOfBlocks} WHERE b.chain_id = $1 AND b.block_number = $2
     GROUP BY m.partition, m.wallet_id`,
    [chainId, block],
  )
  return rows.map(([partition, id, count]) => [{ partition, id }, Number(count)])
}

/** Undoes every move of a chain above block `fork`. Must be called when no full wallet has such blocks any more (`demoteWallets`). */
export async function revertMoves(tx: Transaction, chainId: bigint, fork: bigint): Promise<void> {
  const [some] = await tx.rows('SELECT 1 FROM wallet_move_block WHERE chain_id = $1 AND block_number > $2 LIMIT 1', [
    ...[chainId, fork],
  ])
  if (!some) return
  await takeBack(tx, undoBlocks, [firstPositionOf(fork + 1n), 0, chainId, fork], chainId)
  await tx.run('DELETE FROM wallet_move_block WHERE chain_id = $1 AND block_number > $2', [chainId, fork])
}

/** Undoes a wallet's moves after `block`. Only the caller writes its moves. */
export async function takeBackAfter(tx: Transaction, { partition, id }: WalletKey, block: bigint): Promise<void> {
  await takeBack(tx, undoWallet, [firstPositionOf(block + 1n), 0, partition, id])
}

/** Undoes the last `most` of a wallet's moves after `block`. Returns their number. Only the caller writes its moves. */
export async function takeBackPart(
  tx: Transaction,
  { partition, id }: WalletKey,
  { chainId, block, most }: { chainId: bigint; block: bigint; most: number },
): Promise<number> {
  const last = await tx.fresh.rows<[bigint, number]>(
    `SELECT position, item FROM wallet_move WHERE partition = $1 AND wallet_id = $2 AND position >= $3
     ORDER BY position DESC, item DESC LIMIT $4`,
    [partition, id, firstPositionOf(block + 1n), most],
  )
  // The last part also undoes omitted logs before its first move.
  const from = last.length === most ? last.at(-1)! : [firstPositionOf(block + 1n), 0]
  await takeBack(tx, undoWallet, [...from, partition, id], chainId)
  return last.length
}

/**
 * Undoes the moves of a wallet with more than `most`, from the block of the first move beyond these: it is covered up to the block before, which may
 * be far below its last one if the limit was lowered. Only the caller writes its moves.
 */
export async function keepFirstMoves(tx: Transaction, wallet: WalletKey, most: number): Promise<void> {
  const key = [wallet.partition, wallet.id]
  const [over] = await tx.fresh.rows<[bigint]>(
    'SELECT position FROM wallet_move WHERE partition = $1 AND wallet_id = $2 ORDER BY position, item OFFSET $3 LIMIT 1',
    [...key, most],
  )
  const end = blockOfPosition(over![0]) - 1n
  await takeBackAfter(tx, wallet, end)
  await tx.run(`UPDATE wallet SET ${coveredUpTo('$3::int8')} WHERE partition = $1 AND id = $2`, [...key, end])
}

/** Statements of an undo. */
type Undo = { minted: string; stage: string; uncount: string; delete: string; deleteOversized: string }

type TokenRow = [contract: Buffer, hash: string]

/** Tokens of which no move is left: what gave them to the wallet may not exist. */
const selectUnknown = `
SELECT DISTINCT s.contract, encode(uuid_send(s.token_hash), 'hex') FROM stage_move s
WHERE (${movesOfToken('m.position', within(undefined))} LIMIT 1) IS NULL`

/** `undoneOn`: the chain, if its blocks were undone; omitted: they are read again. */
async function takeBack(tx: Transaction, undo: Undo, values: unknown[], undoneOn?: bigint): Promise<void> {
  const minted = undoneOn === undefined ? [] : await tx.fresh.rows<TokenRow>(undo.minted, values)
  let unknown: TokenRow[] = []
  await withStagingTables(tx, { stages: ['stage_move'], byKeys: true }, async () => {
    await tx.fresh.run(undo.stage, values)
    await tx.fresh.run(undo.uncount, values)
    await tx.fresh.run(undo.delete, values)
    await tx.fresh.run(undo.deleteOversized, values)
    if (undoneOn !== undefined) unknown = await lookUpInOrder(tx, () => tx.fresh.rows<TokenRow>(selectUnknown))
    await mergeHoldings(tx, within(undefined))
  })
  const tokens = [...minted, ...unknown].map(([contract, hash]) => ({ contract: bufferToHex(contract), hash }))
  if (undoneOn !== undefined) await forgetUndone(tx, undoneOn, tokens)
}

/** Moves `m` from position $1 and item $2. `of`: additional join. */
function undoOf({ of, where }: { of?: string; where: string }): Undo {
  const after = (item: string) => `${where} AND m.position >= $1 AND (m.position, ${item}) >= ($1::int8, $2::int4)`
  const condition = after('m.item')
  const using = of === undefined ? '' : `USING ${of} `
  const from = `${of === undefined ? '' : `${of}, `}wallet_move m WHERE ${condition}`
  return {
    minted: `SELECT DISTINCT m.contract, encode(uuid_send(m.token_hash), 'hex') FROM ${from} AND m.from_address = ${zeroBytes}`,
    stage: `INSERT INTO stage_move (partition, wallet_id, contract, token_hash)
SELECT DISTINCT m.partition, m.wallet_id, m.contract, m.token_hash FROM ${from}`,
    uncount: `UPDATE wallet w SET transfers = w.transfers - u.transfers, ${raisedVersion('w')} FROM (
  SELECT m.partition, m.wallet_id, count(*) AS transfers FROM ${from} GROUP BY m.partition, m.wallet_id
) u WHERE w.partition = u.partition AND w.id = u.wallet_id`,
    delete: `DELETE FROM wallet_move m ${using}WHERE ${condition}`,
    deleteOversized: `WITH gone AS (DELETE FROM wallet_wide_log m ${using}WHERE ${after('0')} RETURNING m.partition, m.wallet_id)
UPDATE wallet w SET wide_logs = w.wide_logs - g.logs, ${raisedVersion('w')}
FROM (SELECT partition, wallet_id, count(*) AS logs FROM gone GROUP BY partition, wallet_id) g
WHERE w.partition = g.partition AND w.id = g.wallet_id`,
  }
}

const undoBlocks = undoOf({
  of: '(SELECT DISTINCT b.partition, b.wallet_id FROM wallet_move_block b WHERE b.chain_id = $3 AND b.block_number > $4) b',
  where: 'm.partition = b.partition AND m.wallet_id = b.wallet_id',
})
const undoWallet = undoOf({ where: 'm.partition = $3 AND m.wallet_id = $4' })

/** Blocks of a chain up to `number`, or all, are final. */
export async function forgetMoveBlocks(tx: Transaction, chainId: bigint, number?: bigint): Promise<void> {
  await tx.run('DELETE FROM wallet_move_block WHERE chain_id = $1 AND block_number <= $2', [
    chainId,
    number ?? 9_223_372_036_854_775_807n,
  ])
}
