import type { Sql, Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { onlyPartition, type Within, within, withStages } from '../../db/stages/stages.ts'
import { chunksOf } from '../../util/chunksOf.ts'
import { smaller } from '../../util/extremes.ts'
import { hexToBuffer } from '../../util/hex.ts'
import { raisedVersion } from '../collection/version.ts'
import { coveredUpTo } from '../store/liveCollections.ts'
import { holdingOf } from '../transfers/holdingSql.ts'
import { blockOfPosition, firstPositionOf, positionsPerBlock } from '../transfers/position.ts'
import type { Move, Moves, WalletKey } from './movesOf.ts'

const bytes = (hex: string) => Buffer.from(hex, 'hex')

const moveRow = defineLists<Move>({
  partition: list.int2(({ wallet }) => wallet.partition),
  wallet_id: list.int8(({ wallet }) => wallet.id),
  position: list.int8(({ transfer }) => transfer.position),
  item: list.int4(({ transfer }) => transfer.item),
  contract: list.bytea(({ contract }) => hexToBuffer(contract)),
  token_hash: list.uuid(({ hash }) => hash),
  token_id: list.numeric(({ transfer }) => transfer.tokenId),
  from_address: list.bytea(({ transfer }) => bytes(transfer.from)),
  to_address: list.bytea(({ transfer }) => bytes(transfer.to)),
  amount: list.numeric(({ transfer }) => transfer.amount),
  transaction_hash: list.bytea(({ transfer }) => bytes(transfer.transactionHash)),
  transaction_index: list.int4(({ transfer }) => transfer.transactionIndex),
  operator: list.bytea(({ transfer }) => (transfer.operator === null ? null : bytes(transfer.operator))),
  block_hash: list.bytea(({ transfer }) => bytes(transfer.blockHash)),
  block_time: list.int8(({ transfer }) => transfer.blockTime),
})

const tokenRow = defineLists<Move>({
  partition: list.int2(({ wallet }) => wallet.partition),
  wallet_id: list.int8(({ wallet }) => wallet.id),
  contract: list.bytea(({ contract }) => hexToBuffer(contract)),
  token_hash: list.uuid(({ hash }) => hash),
})

type Count = WalletKey & { transfers: bigint; wide: number }

const countRow = defineLists<Count>({
  partition: list.int2(({ partition }) => partition),
  id: list.int8(({ id }) => id),
  transfers: list.int8(({ transfers }) => transfers),
  wide: list.int4(({ wide }) => wide),
})

type MoveBlock = { wallet: WalletKey; block: bigint }

const blockRow = defineLists<MoveBlock>({
  partition: list.int2(({ wallet }) => wallet.partition),
  wallet_id: list.int8(({ wallet }) => wallet.id),
  block_number: list.int8(({ block }) => block),
})

/** Most rows of one statement. */
const rowsAtOnce = 20_000

/**
 * Stores transfers of wallets, and their holdings. An existing transfer changes nothing, so blocks may be read twice. Only the caller writes the
 * transfers of these wallets: it has locked their rows, or the chain's row if they are live. `undoable`: blocks of the chain after
 * `above` can be undone; omitted: none of these transfers can. Returns the number of new transfers.
 */
export async function storeMoves(
  tx: Transaction,
  { moves, wide }: Moves,
  undoable?: { chainId: bigint; above: bigint },
): Promise<number> {
  const counts = new Map<bigint, Count>()
  const countOf = ({ partition, id }: WalletKey) => {
    const known = counts.get(id) ?? { partition, id, transfers: 0n, wide: 0 }
    counts.set(id, known)
    return known
  }
  for (const wallet of wide) countOf(wallet).wide++
  const of = within(onlyPartition(moves.map(({ wallet }) => wallet)))
  let stored = 0
  for (const part of chunksOf(moves, rowsAtOnce)) {
    const added = await tx.rows<[number, bigint, bigint]>(insertMoves, moveRow.lists(part))
    for (const [partition, id, transfers] of added) {
      countOf({ partition, id }).transfers += transfers
      stored += Number(transfers)
    }
    const tokens = new Map(part.map((move) => [`${move.wallet.id} ${move.contract} ${move.hash}`, move]))
    await withStages(tx, { stages: ['stage_move'], byKeys: true }, async () => {
      await tx.fresh.run(`INSERT INTO stage_move (${tokenRow.columns}) SELECT * FROM ${tokenRow.unnest()}`, [
        ...tokenRow.lists([...tokens.values()]),
      ])
      await mergeHoldings(tx, of)
    })
  }
  if (counts.size > 0) await tx.run(updateCounts, countRow.lists([...counts.values()].toSorted(inLockOrder)))
  const blocks = undoable ? blocksOf(moves, undoable.above) : []
  if (blocks.length > 0) await tx.run(insertBlocks, [undoable!.chainId, ...blockRow.lists(blocks)])
  return stored
}

/** The blocks after `above` in which wallets have moves. */
function blocksOf(moves: readonly Move[], above: bigint): MoveBlock[] {
  const blocks = new Map<string, MoveBlock>()
  for (const { wallet, transfer } of moves) {
    const block = blockOfPosition(BigInt(transfer.position))
    if (block > above) blocks.set(`${wallet.id} ${block}`, { wallet, block })
  }
  return [...blocks.values()]
}

const inLockOrder = (a: WalletKey, b: WalletKey) => a.partition - b.partition || Number(a.id - b.id)

const insertMoves = `
WITH added AS (
  INSERT INTO wallet_move (${moveRow.columns}) SELECT * FROM ${moveRow.unnest()} ON CONFLICT DO NOTHING RETURNING partition, wallet_id
)
SELECT partition, wallet_id, count(*) FROM added GROUP BY partition, wallet_id`

const updateCounts = `
UPDATE wallet w SET transfers = w.transfers + v.transfers, wide_logs = w.wide_logs + v.wide, ${raisedVersion('w')}
FROM ${countRow.unnest()} WHERE w.partition = v.partition AND w.id = v.id`

const insertBlocks = `
INSERT INTO wallet_move_block (chain_id, ${blockRow.columns}) SELECT $1, v.* FROM ${blockRow.unnest(2)}
ON CONFLICT DO NOTHING`

const holding = holdingOf('w.address')
const holdingColumns = Object.keys(holding).join(', ')

const ofStaged = (row: string) =>
  `${row}.partition = s.partition AND ${row}.wallet_id = s.wallet_id AND ${row}.contract = s.contract AND ${row}.token_hash = s.token_hash`

const deleteStaged = (of: Within) => `
DELETE FROM wallet_holding h USING stage_move s WHERE ${ofStaged('h')}${of('h', 's')}`

const insertStaged = (of: Within) => `
INSERT INTO wallet_holding (partition, wallet_id, contract, token_hash, ${holdingColumns})
SELECT h.* FROM (
  SELECT s.partition, s.wallet_id, s.contract, s.token_hash, ${Object.entries(holding)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ')}
  FROM stage_move s JOIN wallet w ON w.partition = s.partition AND w.id = s.wallet_id JOIN wallet_move m ON ${ofStaged('m')}
  WHERE true${of('s', 'w', 'm')}
  GROUP BY s.partition, s.wallet_id, s.contract, s.token_hash
) h WHERE h.amount > 0`

/** Makes what wallets hold of the staged tokens what their moves come to. A token is staged once. */
async function mergeHoldings(tx: Transaction, of: Within): Promise<void> {
  await tx.fresh.run(deleteStaged(of))
  await tx.fresh.run(insertStaged(of))
}

/** The block to which one transaction goes back that takes back `most` moves: see `BlockHandler.undoTo`. */
export async function movesUndoneTo(
  sql: Sql,
  chainId: bigint,
  { fork, cursor, most }: { fork: bigint; cursor: bigint; most: number },
): Promise<bigint> {
  const [row] = await sql.rows<[bigint]>(selectUndone, [chainId, fork, cursor, most])
  return row ? smaller(row[0], cursor - 1n) : fork
}

const selectUndone = `
SELECT b.block_number FROM wallet_move_block b JOIN wallet_move m ON m.partition = b.partition AND m.wallet_id = b.wallet_id
  AND m.position >= b.block_number * ${positionsPerBlock} AND m.position < (b.block_number + 1) * ${positionsPerBlock}
WHERE b.chain_id = $1 AND b.block_number > $2 AND b.block_number <= $3
ORDER BY b.block_number DESC OFFSET $4 LIMIT 1`

/** Takes back every move of a chain above block `fork`. */
export async function revertMoves(tx: Transaction, chainId: bigint, fork: bigint): Promise<void> {
  const [some] = await tx.rows('SELECT 1 FROM wallet_move_block WHERE chain_id = $1 AND block_number > $2 LIMIT 1', [
    ...[chainId, fork],
  ])
  if (!some) return
  await takeBack(tx, undoBlocks, [chainId, fork, firstPositionOf(fork + 1n)])
  await tx.run('DELETE FROM wallet_move_block WHERE chain_id = $1 AND block_number > $2', [chainId, fork])
}

/** Takes back what a wallet has of blocks after `block`. The caller is alone in writing its moves. */
export async function takeBackAfter(tx: Transaction, { partition, id }: WalletKey, block: bigint): Promise<void> {
  await takeBack(tx, undoWallet, [partition, id, firstPositionOf(block + 1n)])
}

/**
 * Takes back what a wallet has beyond its first `most` moves, by whole blocks. It is covered up to the last block of those that are left: a reorganisation
 * of that block or an earlier one takes some of them. The caller is alone in writing its moves.
 */
export async function keepFirstMoves(tx: Transaction, wallet: WalletKey, most: number): Promise<void> {
  const key = [wallet.partition, wallet.id]
  const read = (order: string, values: unknown[] = []) =>
    tx.fresh.rows<[bigint]>(
      `SELECT position FROM wallet_move WHERE partition = $1 AND wallet_id = $2 ORDER BY ${order} LIMIT 1`,
      [...key, ...values],
    )
  const [over] = await read('position, item OFFSET $3', [most])
  if (over) await takeBackAfter(tx, wallet, blockOfPosition(over[0]) - 1n)
  const [last] = await read('position DESC, item DESC')
  const covered = coveredUpTo('greatest(to_block, $3::int8)')
  await tx.run(`UPDATE wallet SET ${covered} WHERE partition = $1 AND id = $2`, [
    ...[...key, last ? blockOfPosition(last[0]) : null],
  ])
}

/** Statements that take moves back. */
type Undo = { stage: string; uncount: string; delete: string }

async function takeBack(tx: Transaction, undo: Undo, values: unknown[]): Promise<void> {
  await withStages(tx, { stages: ['stage_move'], byKeys: true }, async () => {
    await tx.fresh.run(undo.stage, values)
    await tx.fresh.run(undo.uncount, values)
    await tx.fresh.run(undo.delete, values)
    await mergeHoldings(tx, within(undefined))
  })
}

/** `of`: what the moves `m` are joined with, if anything. `covered`: the last block that a wallet which is no longer followed may cover afterwards. */
function undoOf({ of, where, covered }: { of?: string; where: string; covered: string }): Undo {
  const from = `${of === undefined ? '' : `${of}, `}wallet_move m WHERE ${where} AND m.position >= $3`
  return {
    stage: `INSERT INTO stage_move (partition, wallet_id, contract, token_hash)
SELECT DISTINCT m.partition, m.wallet_id, m.contract, m.token_hash FROM ${from}`,
    uncount: `UPDATE wallet w SET transfers = w.transfers - u.transfers, to_block = least(w.to_block, ${covered}), ${raisedVersion('w')} FROM (
  SELECT m.partition, m.wallet_id, count(*) AS transfers FROM ${from} GROUP BY m.partition, m.wallet_id
) u WHERE w.partition = u.partition AND w.id = u.wallet_id`,
    delete: `DELETE FROM wallet_move m ${of === undefined ? '' : `USING ${of} `}WHERE ${where} AND m.position >= $3`,
  }
}

const undoBlocks = undoOf({
  of: '(SELECT DISTINCT b.partition, b.wallet_id FROM wallet_move_block b WHERE b.chain_id = $1 AND b.block_number > $2) b',
  where: 'm.partition = b.partition AND m.wallet_id = b.wallet_id',
  // A full wallet covers up to the last block that it has moves of, where later ones may be undone in parts, and up to the final block in any case.
  covered: `CASE w.status WHEN 'full' THEN greatest(
    least($2, (SELECT h.finalized_number FROM chain h WHERE h.id = $1)),
    (SELECT max(k.position) / ${positionsPerBlock} FROM wallet_move k WHERE k.partition = w.partition AND k.wallet_id = w.id AND k.position < $3)
  ) ELSE w.to_block END`,
})
const undoWallet = undoOf({ where: 'm.partition = $1 AND m.wallet_id = $2', covered: 'w.to_block' })

/** Blocks of a chain up to `number`, or all, cannot be undone any more. */
export async function forgetMoveBlocks(tx: Transaction, chainId: bigint, number?: bigint): Promise<void> {
  await tx.run('DELETE FROM wallet_move_block WHERE chain_id = $1 AND block_number <= $2', [
    chainId,
    number ?? 9_223_372_036_854_775_807n,
  ])
}
