import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { isServed, type Served, servedValues } from '../../sync/leases/served.ts'
import { packAddresses } from './streamAddresses.ts'
import { dueRow, noFailure, nowFailing, type PendingHistory } from './streamChain.ts'
import type { StreamShape } from './streamChange.ts'

type Key = { partition: number; streamId: string }

const additionRow = defineRow({
  number: column.int8('number'),
  /** First unread block. */
  nextBlock: column.int8('next_block'),
  /** First block that is not read, as the stream itself matches the addresses from there. */
  toBlock: column.int8('to_block'),
})

/**
 * Addresses that were added after a stream's history had begun. Their history on a chain is read separately, up to the
 * block at which the stream itself matches them.
 */
export type StreamAddition = RowOf<typeof additionRow>

/** Queues the history of addresses on a chain. */
export async function insertAddition(
  tx: Transaction,
  { partition, streamId }: Key,
  addition: { chainId: bigint; nextBlock: bigint; toBlock: bigint; addresses: readonly Uint8Array[] },
): Promise<void> {
  const { chainId, nextBlock, toBlock, addresses } = addition
  await tx.run(
    `INSERT INTO stream_addition (partition, stream_id, chain_id, next_block, to_block, addresses) VALUES ($1, $2, $3, $4, $5, $6)`,
    [partition, streamId, chainId, nextBlock, toBlock, packAddresses(addresses)],
  )
}

const ofStream = 'partition = $1 AND stream_id = $2 AND chain_id = $3'

/** The additions of a stream on a chain, by number. `hold`: locked until the transaction ends. */
export async function readAdditions(
  sql: Sql,
  chainId: bigint,
  { partition, streamId }: Key,
  hold = false,
): Promise<StreamAddition[]> {
  const rows = await sql.rows(
    `SELECT ${additionRow.columns} FROM stream_addition WHERE ${ofStream} ORDER BY number${hold ? ' FOR UPDATE' : ''}`,
    [partition, streamId, chainId],
  )
  return rows.map(additionRow.decode)
}

/**
 * Locks and reads the additions of a stream on a chain, and locks the stream's place, so that it cannot be paused
 * meanwhile. Empty if it is already paused.
 */
export async function holdAdditions(tx: Transaction, chainId: bigint, key: Key): Promise<StreamAddition[]> {
  // The place first, the lock order of `deleteStream`.
  const [place] = await tx.rows(`SELECT 1 FROM stream_chain WHERE ${ofStream} AND state <> 'paused' FOR SHARE`, [
    key.partition,
    key.streamId,
    chainId,
  ])
  return place ? readAdditions(tx, chainId, key, true) : []
}

/** Packed addresses of a stream's additions on a chain, by number. */
export async function readAddedAddresses(
  sql: Sql,
  chainId: bigint,
  { partition, streamId }: Key,
): Promise<Map<bigint, Buffer>> {
  const rows = await sql.rows<[bigint, Buffer]>(`SELECT number, addresses FROM stream_addition WHERE ${ofStream}`, [
    partition,
    streamId,
    chainId,
  ])
  return new Map(rows)
}

/**
 * Streams with additions that this process must read. `fromBlock` and `nextBlock` are those of the stream's own
 * history.
 */
export async function readPendingAdditions(sql: Sql, served: Served): Promise<PendingHistory[]> {
  const rows = await sql.rows(
    `SELECT DISTINCT ${dueRow.columns}
     FROM stream_addition a JOIN stream_chain s USING (partition, stream_id, chain_id) JOIN chain c ON c.id = s.chain_id
     WHERE s.state <> 'paused' AND ${isServed('s.partition', 's.chain_id')} AND (a.retry_at IS NULL OR a.retry_at <= now())
       AND a.next_block <= least(c.finalized_number, c.block_number) LIMIT 100`,
    servedValues(served),
  )
  return rows.map(dueRow.decode)
}

/** Matches of additions in blocks from `from` to before `to`, with one definition. */
export type Brought = { from: bigint; to: bigint; ownFrom: bigint; shape: StreamShape; addresses: Buffer }

const broughtRow = defineRow({
  from: column.int8('from_block'),
  to: column.int8('to_block'),
  ownFrom: column.int8('own_from'),
  shape: column.jsonb<StreamShape>('shape'),
  addresses: column.bytea('addresses'),
})

export async function readBrought(sql: Sql, chainId: bigint, { partition, streamId }: Key): Promise<Brought[]> {
  const rows = await sql.rows(`SELECT ${broughtRow.columns} FROM stream_brought WHERE ${ofStream}`, [
    partition,
    streamId,
    chainId,
  ])
  return rows.map(broughtRow.decode)
}

/** Records that additions were read up to before `to`. Must be called before they are moved there. */
export async function keepBrought(
  tx: Transaction,
  chainId: bigint,
  { partition, streamId }: Key,
  read: { numbers: readonly bigint[]; to: bigint; shape: StreamShape },
): Promise<void> {
  const values = [partition, streamId, chainId, read.numbers, read.to, JSON.stringify(read.shape)]
  await tx.run(
    `UPDATE stream_brought b SET to_block = $5 FROM stream_addition a
     WHERE a.partition = $1 AND a.stream_id = $2 AND a.chain_id = $3 AND a.number = ANY($4::bigint[])
       AND b.partition = $1 AND b.stream_id = $2 AND b.chain_id = $3 AND b.addition = a.number
       AND b.to_block = a.next_block AND b.shape = $6::jsonb`,
    values,
  )
  await tx.run(
    `INSERT INTO stream_brought (partition, stream_id, chain_id, addition, from_block, to_block, own_from, shape, addresses)
     SELECT a.partition, a.stream_id, a.chain_id, a.number, a.next_block, $5, a.to_block, $6, a.addresses FROM stream_addition a
     WHERE ${ofStream} AND number = ANY($4::bigint[]) AND NOT EXISTS (SELECT 1 FROM stream_brought b
       WHERE b.partition = $1 AND b.stream_id = $2 AND b.chain_id = $3 AND b.addition = a.number AND b.to_block = $5)`,
    values,
  )
}

/** Moves additions to `nextBlock`, and deletes complete ones. */
export async function moveAdditions(
  tx: Transaction,
  chainId: bigint,
  { partition, streamId }: Key,
  moved: { numbers: readonly bigint[]; nextBlock: bigint },
): Promise<void> {
  const key = [partition, streamId, chainId, moved.numbers, moved.nextBlock]
  const own = `${ofStream} AND number = ANY($4::bigint[])`
  await tx.run(`UPDATE stream_addition SET next_block = $5, ${noFailure} WHERE ${own}`, key)
  await tx.run(`DELETE FROM stream_addition WHERE ${own} AND to_block <= $5`, key)
}

export async function noteAdditionFailure(
  sql: Sql,
  chainId: bigint,
  { partition, streamId }: Key,
  failure: string,
): Promise<void> {
  await sql.run(`UPDATE stream_addition SET ${nowFailing('$4')} WHERE ${ofStream}`, [
    partition,
    streamId,
    chainId,
    failure,
  ])
}
