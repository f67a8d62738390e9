import type { Header } from '../chain/evm/rpc/rpc.ts'
import type { Database, Sql, Transaction } from '../db/database.ts'
import { defineLists, list } from '../db/defineLists.ts'
import { column, defineRow, type RowOf } from '../db/defineRow.ts'
import { bufferToHex, type Hex, hexToBuffer } from '../util/hex.ts'
import type { BlockName } from './blockHandler.ts'
import { isHeldBy } from './leases/lease.ts'

const chainRow = defineRow({
  /** Changes when the row is recreated, as after a reset. */
  generation: column.int8('generation'),
  /** Changes when the follower must load its collections and streams again (`reviseChain`). */
  revision: column.int8('revision'),
  genesisHash: column.bytea('genesis_hash').map(bufferToHex),
  number: column.int8('block_number').orNull(),
  hash: column.bytea('block_hash').map(bufferToHex).orNull(),
  finalized: column.int8('finalized_number'),
  /** Configured maximum age of its head; null: none. */
  maxHeadAgeMs: column.int4('max_head_age_ms').orNull(),
})

/** A chain's row with its cursor. */
export type ChainRow = Omit<RowOf<typeof chainRow>, 'number' | 'hash'> & {
  /** The last applied block; undefined before the chain is followed. */
  block: BlockName | undefined
}

/** Blocks kept below the finalized one, so that a collection whose history ended there finds their hashes. */
export const keptBelowFinalized = 512n

export async function readChain(sql: Sql, chainId: bigint, lock = false): Promise<ChainRow | undefined> {
  const [row] = await sql.rows(`SELECT ${chainRow.columns} FROM chain WHERE id = $1${lock ? ' FOR UPDATE' : ''}`, [
    chainId,
  ])
  if (!row) return undefined
  const { number, hash, ...chain } = chainRow.decode(row)
  return { ...chain, block: number !== null && hash !== null ? { number, hash } : undefined }
}

/**
 * Writes unchanged rows of chains, and returns their revisions. On a cluster each node has a copy of a row. So this write waits for in-doubt
 * transactions of the row, and later statements see their rows. The next writer of the row waits on each node for this transaction.
 */
export async function writeChains(sql: Sql, chainIds: readonly bigint[]): Promise<bigint[]> {
  const rows = await sql.rows<[bigint]>(
    'UPDATE chain SET revision = revision WHERE id = ANY($1::bigint[]) RETURNING revision',
    [chainIds],
  )
  return rows.map(([revision]) => revision)
}

/**
 * Inserts the chain's row if it is missing. Returns the stored genesis hash, which may be an earlier one. `maxHeadAgeMs`: configured maximum age of
 * the head; null: none.
 */
export async function insertChain(
  sql: Sql,
  chainId: bigint,
  genesisHash: Hex,
  head: bigint,
  finalized: bigint,
  maxHeadAgeMs: number | null = null,
): Promise<Hex> {
  await sql.run(
    `INSERT INTO chain AS c (id, genesis_hash, head_number, finalized_number, max_head_age_ms) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (id) DO UPDATE SET max_head_age_ms = excluded.max_head_age_ms
     WHERE c.max_head_age_ms IS DISTINCT FROM excluded.max_head_age_ms`,
    [chainId, hexToBuffer(genesisHash), head, finalized, maxHeadAgeMs],
  )
  const row = await readChain(sql, chainId)
  return row?.genesisHash ?? genesisHash
}

/** Hashes of stored blocks from `from`, optionally up to `to`, by number. */
export async function blockHashes(sql: Sql, chainId: bigint, from: bigint, to?: bigint): Promise<Map<bigint, Hex>> {
  const rows = await sql.rows<[bigint, Buffer]>(
    `SELECT number, hash FROM block WHERE chain_id = $1 AND number >= $2${to === undefined ? '' : ' AND number <= $3'}`,
    to === undefined ? [chainId, from] : [chainId, from, to],
  )
  return new Map(rows.map(([number, hash]) => [number, bufferToHex(hash)]))
}

/** Moves the cursor. False: this worker no longer holds the chain. */
export async function moveCursor(
  tx: Transaction,
  options: {
    chainId: bigint
    worker: number
    block: BlockName | undefined
    head: bigint
    finalized: bigint
  },
): Promise<boolean> {
  const { chainId, worker, block, head, finalized } = options
  if (!(await isHeldBy(tx, 'chain', chainId, worker))) return false
  const moved = await tx.run(
    `UPDATE chain SET block_number = $2, block_hash = $3, head_number = $4, finalized_number = greatest(finalized_number, $5),
       failure = NULL, contradicted = false, confirmed_at = now(), updated_at = now()
     WHERE id = $1`,
    [chainId, block?.number ?? null, block ? hexToBuffer(block.hash) : null, head, finalized],
  )
  return moved === 1
}

const header = defineLists<Header>({
  number: list.int8((h) => h.number),
  hash: list.bytea((h) => hexToBuffer(h.hash)),
  parent_hash: list.bytea((h) => hexToBuffer(h.parentHash)),
  timestamp: list.int8((h) => h.timestamp),
})

export async function insertBlocks(tx: Transaction, chainId: bigint, headers: readonly Header[]): Promise<void> {
  await tx.run(`INSERT INTO block (chain_id, ${header.columns}) SELECT $1, v.* FROM ${header.unnest(2)}`, [
    chainId,
    ...header.lists(headers),
  ])
}

/** Days for which undone blocks are kept. */
export const undoneDays = 30

/** Moves blocks that a reorg undid to the undone ones. */
export async function undoBlocksAbove(tx: Transaction, chainId: bigint, number: bigint): Promise<void> {
  await tx.run(rememberUndone, [chainId, number])
  await tx.run(`DELETE FROM block_undone WHERE chain_id = $1 AND undone_at < now() - $2 * interval '1 day'`, [
    chainId,
    undoneDays,
  ])
  await deleteBlocksAbove(tx, chainId, number)
}

const rememberUndone = `
INSERT INTO block_undone (chain_id, hash, number, parent_hash)
SELECT chain_id, hash, number, parent_hash FROM block WHERE chain_id = $1 AND number > $2
ON CONFLICT (chain_id, hash) DO UPDATE SET undone_at = now()`

export async function deleteBlocksAbove(tx: Transaction, chainId: bigint, number: bigint): Promise<number> {
  return tx.run('DELETE FROM block WHERE chain_id = $1 AND number > $2', [chainId, number])
}

export async function deleteBlocksBelow(tx: Transaction, chainId: bigint, number: bigint): Promise<void> {
  await tx.run('DELETE FROM block WHERE chain_id = $1 AND number < $2', [chainId, number])
}

/** A head from a node of the worker that follows the chain. `cursor`: hash of the last applied block. */
export type ReportedHead = { chainId: bigint; worker: number; cursor: Hex; head: bigint }

/** Condition: the cursor has not moved, and the worker still holds the chain. Otherwise the node's head does not apply to the stored blocks. */
const sameCursor = 'id = $1 AND block_hash = $3'

/** Rolls a change back, as another worker now holds the chain. */
class NotHeldError extends Error {}

/**
 * Whether a statement changed the chain's row for the worker that holds it. The lease is checked after the change, in its transaction. A process that
 * was frozen meanwhile has lost its transactions with its leases, so it changes nothing when it wakes.
 */
async function changeWhileHeld(
  db: Database,
  { chainId, worker }: Pick<ReportedHead, 'chainId' | 'worker'>,
  [text, values]: [text: string, values: unknown[]],
): Promise<boolean> {
  const change = db.transaction(async (tx) => {
    const changed = await tx.run(text, values)
    if (!(await isHeldBy(tx, 'chain', chainId, worker))) throw new NotHeldError()
    return changed === 1
  })
  return change.catch((error: unknown) => {
    if (error instanceof NotHeldError) return false
    throw error
  })
}

/** Records that the node's head is the last applied block, so that all stored data is current. False: see `sameCursor`. */
export function confirmHead(db: Database, reported: ReportedHead): Promise<boolean> {
  return changeWhileHeld(db, reported, [
    `UPDATE chain SET head_number = $2, failure = NULL, contradicted = false, confirmed_at = now(), updated_at = now()
     WHERE ${sameCursor}`,
    [reported.chainId, reported.head, hexToBuffer(reported.cursor)],
  ])
}

/** Stores a node's head that confirms no stored data. False: see `sameCursor`. */
export function noteHead(db: Database, reported: ReportedHead): Promise<boolean> {
  return changeWhileHeld(db, reported, [
    `UPDATE chain SET head_number = $2, updated_at = now() WHERE ${sameCursor}`,
    [reported.chainId, reported.head, hexToBuffer(reported.cursor)],
  ])
}

/** Stores why the chain is not followed, if the worker still holds it. `contradicted`: the node's chain differs from the stored one. */
export async function noteChainFailure(
  db: Database,
  options: { chainId: bigint; worker: number | undefined; failure: string; contradicted: boolean },
): Promise<void> {
  const { chainId, worker, failure, contradicted } = options
  if (worker === undefined) return
  await changeWhileHeld(db, { chainId, worker }, [
    'UPDATE chain SET failure = $2, contradicted = contradicted OR $3, updated_at = now() WHERE id = $1',
    [chainId, failure, contradicted],
  ])
}

/** Makes the chain's follower load its collections and streams again. Waits for a running step. */
export async function reviseChain(tx: Transaction, chainId: bigint): Promise<void> {
  await tx.run('UPDATE chain SET revision = revision + 1 WHERE id = $1', [chainId])
}

/** Deletes the chain's row, blocks (also undone ones) and marks. Its follower then finds no row, or a new one. */
export async function removeChain(tx: Transaction, chainId: bigint): Promise<void> {
  await tx.run('DELETE FROM block WHERE chain_id = $1', [chainId])
  await tx.run('DELETE FROM block_undone WHERE chain_id = $1', [chainId])
  await tx.run('DELETE FROM chain_mark WHERE chain_id = $1', [chainId])
  await tx.run('DELETE FROM chain WHERE id = $1', [chainId])
}
