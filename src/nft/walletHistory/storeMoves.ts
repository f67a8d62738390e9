import type { Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import {
  joinedWithin,
  lookUpInOrder,
  onlyPartition,
  type Within,
  within,
  withStagingTables,
} from '../../db/staging/stagingTables.ts'
import { chunksOf } from '../../util/chunksOf.ts'
import { hexToBuffer } from '../../util/hex.ts'
import { raisedVersion } from '../collection/version.ts'
import { holdingOf } from '../transfers/holdingSql.ts'
import { blockOfPosition } from '../transfers/position.ts'
import type { Move, Moves, OversizedLog, WalletKey } from './movesOf.ts'

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

const oversizedRow = defineLists<OversizedLog>({
  partition: list.int2(({ wallet }) => wallet.partition),
  wallet_id: list.int8(({ wallet }) => wallet.id),
  position: list.int8(({ position }) => position),
})

type Count = WalletKey & { transfers: bigint; oversized: bigint }

const countRow = defineLists<Count>({
  partition: list.int2(({ partition }) => partition),
  id: list.int8(({ id }) => id),
  transfers: list.int8(({ transfers }) => transfers),
  wide: list.int8(({ oversized }) => oversized),
})

/** A holding of a staged token, with its `received_position`. */
type Held = [partition: number, wallet: bigint, contract: Buffer, hash: string, received: bigint]

const heldRow = defineLists<Held>({
  partition: list.int2(([partition]) => partition),
  wallet_id: list.int8(([, wallet]) => wallet),
  contract: list.bytea(([, , contract]) => contract),
  token_hash: list.uuid(([, , , hash]) => hash),
  received_position: list.int8(([, , , , received]) => received),
})

type MoveBlock = { wallet: WalletKey; block: bigint }

const blockRow = defineLists<MoveBlock>({
  partition: list.int2(({ wallet }) => wallet.partition),
  wallet_id: list.int8(({ wallet }) => wallet.id),
  block_number: list.int8(({ block }) => block),
})

/** Rows per statement. */
const rowsAtOnce = 20_000

/** `rows`: number of new transfers. `wallets`: wallets with new transfers, with their totals. */
export type StoredMoves = { rows: number; wallets: (WalletKey & { transfers: bigint })[] }

/**
 * Stores transfers, holdings and omissions of wallets. An existing transfer changes nothing, so blocks may be read twice. Only the caller writes
 * transfers of these wallets: it has locked their rows, or the chain's row if they are live. `undoable`: blocks of the chain after `above` can be
 * undone; omitted: none of these transfers can.
 */
export async function storeMoves(
  tx: Transaction,
  { moves, oversized }: Moves,
  undoable?: { chainId: bigint; above: bigint },
): Promise<StoredMoves> {
  const counts = new Map<bigint, Count>()
  const countOf = ({ partition, id }: WalletKey) => {
    const known = counts.get(id) ?? { partition, id, transfers: 0n, oversized: 0n }
    counts.set(id, known)
    return known
  }
  if (oversized.length > 0) {
    const added = await tx.rows<[number, bigint, bigint]>(insertOversized, oversizedRow.lists(oversized))
    for (const [partition, id, logs] of added) countOf({ partition, id }).oversized += logs
  }
  const of = within(await joinedWithin(tx, onlyPartition(moves.map(({ wallet }) => wallet))))
  let stored = 0
  for (const part of chunksOf(moves, rowsAtOnce)) {
    const added = await tx.rows<[number, bigint, bigint]>(insertMoves, moveRow.lists(part))
    for (const [partition, id, transfers] of added) {
      countOf({ partition, id }).transfers += transfers
      stored += Number(transfers)
    }
    const tokens = new Map(part.map((move) => [`${move.wallet.id} ${move.contract} ${move.hash}`, move]))
    await withStagingTables(tx, { stages: ['stage_move'], byKeys: true }, async () => {
      await tx.fresh.run(`INSERT INTO stage_move (${tokenRow.columns}) SELECT * FROM ${tokenRow.unnest()}`, [
        ...tokenRow.lists([...tokens.values()]),
      ])
      await mergeHoldings(tx, of)
    })
  }
  const changed = [...counts.values()].toSorted(inLockOrder)
  const totals =
    changed.length === 0 ? [] : await tx.rows<[number, bigint, bigint]>(updateCounts, countRow.lists(changed))
  const blocks = undoable ? blocksOf([...moves.map(placeOf), ...oversized], undoable.above) : []
  if (blocks.length > 0) await tx.run(insertBlocks, [undoable!.chainId, ...blockRow.lists(blocks)])
  return { rows: stored, wallets: totals.map(([partition, id, transfers]) => ({ partition, id, transfers })) }
}

const placeOf = ({ wallet, transfer }: Move): OversizedLog => ({ wallet, position: transfer.position })

/** Blocks after `above` with logs of wallets. */
function blocksOf(logs: readonly OversizedLog[], above: bigint): MoveBlock[] {
  const blocks = new Map<string, MoveBlock>()
  for (const { wallet, position } of logs) {
    const block = blockOfPosition(BigInt(position))
    if (block > above) blocks.set(`${wallet.id} ${block}`, { wallet, block })
  }
  return [...blocks.values()]
}

const inLockOrder = (a: WalletKey, b: WalletKey) => a.partition - b.partition || Number(a.id - b.id)

/** Returns the number of newly inserted rows by wallet. */
const countNew = (insert: string) => `
WITH added AS (${insert} ON CONFLICT DO NOTHING RETURNING partition, wallet_id)
SELECT partition, wallet_id, count(*) FROM added GROUP BY partition, wallet_id`

const insertMoves = countNew(`INSERT INTO wallet_move (${moveRow.columns}) SELECT * FROM ${moveRow.unnest()}`)
const insertOversized = countNew(
  `INSERT INTO wallet_wide_log (${oversizedRow.columns}) SELECT * FROM ${oversizedRow.unnest()}`,
)

const updateCounts = `
UPDATE wallet w SET transfers = w.transfers + v.transfers, wide_logs = w.wide_logs + v.wide, ${raisedVersion('w')}
FROM ${countRow.unnest()} WHERE w.partition = v.partition AND w.id = v.id
RETURNING w.partition, w.id, w.transfers`

const insertBlocks = `
INSERT INTO wallet_move_block (chain_id, ${blockRow.columns}) SELECT $1, v.* FROM ${blockRow.unnest(2)}
ON CONFLICT DO NOTHING`

const holding = holdingOf('w.address')
const holdingColumns = Object.keys(holding).join(', ')

/** SQL condition: rows of the token `s`, for an order that starts with `token_hash`. */
const ofToken = (row: string) =>
  `${row}.partition = s.partition AND ${row}.wallet_id = s.wallet_id AND ${row}.contract = s.contract
  AND ${row}.token_hash >= s.token_hash AND ${row}.token_hash <= s.token_hash`

/** Holdings of the staged tokens, by their key (`lookUpInOrder`): by receipt, each token would read all index entries of its wallet. */
const selectHeld = (of: Within) => `
SELECT s.partition, s.wallet_id, s.contract, encode(uuid_send(s.token_hash), 'hex'), h.received_position FROM stage_move s
CROSS JOIN LATERAL (SELECT h.received_position FROM wallet_holding h WHERE ${ofToken('h')}${of('h')} ORDER BY h.token_hash) h
WHERE true${of('s')}`

/** With the receipt, each index has the whole key. */
const deleteHeld = (of: Within) => `
DELETE FROM wallet_holding h USING ${heldRow.unnest()}
WHERE h.partition = v.partition AND h.wallet_id = v.wallet_id AND h.contract = v.contract AND h.token_hash = v.token_hash
  AND h.received_position = v.received_position${of('h')}`

/** The moves `m` of a token `s`, in the order of the index by token (`lookUpInOrder`): by position, each token would read all moves of its wallet. */
export const movesOfToken = (columns: string, of: Within) => `
SELECT ${columns} FROM wallet_move m WHERE ${ofToken('m')}${of('m')}
ORDER BY m.token_hash, m.position, m.item`

const insertStaged = (of: Within) => `
INSERT INTO wallet_holding (partition, wallet_id, contract, token_hash, ${holdingColumns})
SELECT h.* FROM (
  SELECT s.partition, s.wallet_id, s.contract, s.token_hash, ${Object.entries(holding)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ')}
  FROM stage_move s
  CROSS JOIN LATERAL (SELECT w.address FROM wallet w WHERE w.partition = s.partition AND w.id = s.wallet_id${of('w')} ORDER BY w.id) w
  CROSS JOIN LATERAL (${movesOfToken('*', of)}) m
  WHERE true${of('s')}
  GROUP BY s.partition, s.wallet_id, s.contract, s.token_hash
) h WHERE h.amount > 0`

/** Recomputes the holdings of the staged tokens from their moves. A token is staged once. */
export async function mergeHoldings(tx: Transaction, of: Within): Promise<void> {
  const held = await lookUpInOrder(tx, () => tx.fresh.rows<Held>(selectHeld(of)))
  if (held.length > 0) await tx.fresh.run(deleteHeld(of), heldRow.lists(held))
  await lookUpInOrder(tx, () => tx.fresh.run(insertStaged(of)))
}
