import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { isServed, type Served, servedValues } from '../../sync/leases/served.ts'
import { streamPartition } from '../../sync/partition.ts'

type Key = { partition: number; id: string }

/** Columns of `stream_chain s`. */
const place = {
  partition: column.int2('s.partition'),
  streamId: column.uuid('s.stream_id::text'),
  /** First block that the stream matches. */
  fromBlock: column.int8('s.from_block'),
  /** First block that history has not matched. */
  nextBlock: column.int8('s.next_block'),
  /**
   * First block that is not history. Earlier blocks existed when the stream requested them, so only confirmed webhooks
   * are sent.
   */
  headFrom: column.int8('s.head_from'),
}
const placeRow = defineRow(place)
export const dueRow = defineRow({ chainId: column.int8('s.chain_id'), ...place })

/** Position of a stream on a chain. */
export type StreamChain = RowOf<typeof placeRow>

/**
 * Puts a stream on a chain. If its row from an earlier time on the chain still exists, it continues there; in state
 * `paused` it stays paused.
 */
export async function insertStreamChain(
  tx: Transaction,
  { partition, id }: Key,
  place: {
    chainId: bigint
    state: 'live' | 'history' | 'paused'
    fromBlock: bigint
    waiting?: boolean
    headFrom?: bigint
  },
): Promise<void> {
  await tx.run(
    `INSERT INTO stream_chain AS s (partition, stream_id, chain_id, state, from_block, next_block, waiting, asked, head_from)
     VALUES ($1, $2, $3, $4, $5, $5, $6, $6, $7)
     ON CONFLICT (partition, stream_id, chain_id) DO UPDATE SET state = 'paused', behind = s.state = 'history', ${noFailure},
       next_block = CASE WHEN s.state = 'live' THEN greatest(s.from_block, excluded.next_block) ELSE s.next_block END
     WHERE excluded.state = 'paused' AND s.state <> 'paused'`,
    [partition, id, place.chainId, place.state, place.fromBlock, place.waiting ?? false, place.headFrom ?? 0n],
  )
}

const beginningRow = defineRow({
  chainId: column.int8('chain_id'),
  fromBlock: column.int8('from_block'),
  requested: column.bool('asked'),
})

/** First block of a stream on each of its chains, and whether it includes history. */
export async function readBeginnings(
  sql: Sql,
  { partition, id }: Key,
): Promise<Map<bigint, { fromBlock: bigint; requested: boolean }>> {
  const rows = await sql.rows(
    `SELECT ${beginningRow.columns} FROM stream_chain WHERE partition = $1 AND stream_id = $2`,
    [partition, id],
  )
  return new Map(rows.map(beginningRow.decode).map(({ chainId, ...beginning }) => [chainId, beginning]))
}

/** First block of a stream on each chain that has not reached it yet. */
export async function readStarts(sql: Sql, { partition, id }: Key): Promise<Map<bigint, bigint>> {
  return new Map(
    await sql.rows<[bigint, bigint]>(
      `SELECT s.chain_id, s.from_block FROM stream_chain s JOIN chain c ON c.id = s.chain_id
       WHERE s.partition = $1 AND s.stream_id = $2 AND s.from_block > c.block_number + 1 ORDER BY s.chain_id`,
      [partition, id],
    ),
  )
}

/** Live streams of a chain, which the follower matches. */
export async function readLiveStreams(sql: Sql, chainId: bigint): Promise<StreamChain[]> {
  return readPlaces(sql, `state = 'live' AND chain_id = $1`, [chainId])
}

/** The place of a live stream; undefined if the stream is not live or not on this chain. */
export async function readLivePlace(sql: Sql, chainId: bigint, streamId: string): Promise<StreamChain | undefined> {
  const key = [chainId, streamPartition(streamId), streamId]
  const [place] = await readPlaces(sql, `state = 'live' AND chain_id = $1 AND partition = $2 AND stream_id = $3`, key)
  return place
}

/** Streams whose history is matched up to the finalized block, so that they can join the chain. */
export async function readJoinableStreams(
  sql: Sql,
  chainId: bigint,
  finalized: bigint,
  limit: number,
): Promise<StreamChain[]> {
  return readPlaces(
    sql,
    `state = 'history' AND chain_id = $1 AND next_block > $2 AND ${mayGoOn} ORDER BY next_block DESC LIMIT $3`,
    [chainId, finalized, limit],
  )
}

const lockPlace = 'SELECT 1 FROM stream_chain WHERE partition = $1 AND stream_id = $2 AND chain_id = $3 FOR UPDATE'

/** The place of a stream that may join its chain; undefined: it may not. `hold`: locked until the transaction ends. */
export async function readJoinable(
  sql: Sql,
  chainId: bigint,
  { partition, streamId }: Pick<StreamChain, 'partition' | 'streamId'>,
  hold = false,
): Promise<StreamChain | undefined> {
  if (hold) await sql.rows(lockPlace, [partition, streamId, chainId])
  const [place] = await readPlaces(
    sql,
    `state = 'history' AND chain_id = $1 AND partition = $2 AND stream_id = $3 AND ${mayGoOn}`,
    [chainId, partition, streamId],
  )
  return place
}

/** A stream with unmatched final blocks. */
export type PendingHistory = RowOf<typeof dueRow>

/** Streams with history that this process must read; the one farthest behind comes last. */
export async function readPendingHistory(sql: Sql, served: Served): Promise<PendingHistory[]> {
  const rows = await sql.rows(
    `SELECT ${dueRow.columns} FROM stream_chain s JOIN chain c ON c.id = s.chain_id
     WHERE s.state = 'history' AND ${isServed('s.partition', 's.chain_id')} AND c.block_number IS NOT NULL
       AND s.next_block <= least(c.finalized_number, c.block_number) AND ${mayGoOn}
     ORDER BY least(c.finalized_number, c.block_number) - s.next_block LIMIT 100`,
    servedValues(served),
  )
  return rows.map(dueRow.decode)
}

/** Locks and reads the place of a stream in history; undefined: it is not in history. */
export async function holdStreamChain(
  tx: Transaction,
  chainId: bigint,
  { partition, streamId }: Pick<StreamChain, 'partition' | 'streamId'>,
): Promise<StreamChain | undefined> {
  await tx.rows(lockPlace, [partition, streamId, chainId])
  const [place] = await readPlaces(tx, `state = 'history' AND chain_id = $1 AND partition = $2 AND stream_id = $3`, [
    chainId,
    partition,
    streamId,
  ])
  return place
}

/**
 * Condition: the place is not in backoff, and its stream has an address. The definition is searched as text: parsed as
 * JSON, one definition with an invalid escape would stop the history of every stream.
 */
const mayGoOn = `(s.retry_at IS NULL OR s.retry_at <= now())
  AND (NOT s.waiting OR EXISTS (SELECT 1 FROM stream t WHERE t.partition = s.partition AND t.id = s.stream_id
    AND (t.addresses > 0 OR strpos(t.definition::text, '"allAddresses":true') > 0)))`

export const noFailure = 'failure = NULL, failing_since = NULL, retry_at = NULL'

/**
 * Assignments for a failed place: it waits for half of the time since its first failure, 1 s to 1 min. `(SELECT now())`
 * also uses a column, as Citus evaluates an expression without columns itself, and fails.
 */
export const nowFailing = (
  failure: string,
) => `failure = ${failure}, failing_since = coalesce(failing_since, (SELECT now())),
  retry_at = (SELECT now())
    + greatest(interval '1 s', least(interval '1 min', ((SELECT now()) - coalesce(failing_since, (SELECT now()))) / 2))`

async function readPlaces(sql: Sql, condition: string, values: unknown[]): Promise<StreamChain[]> {
  const rows = await sql.rows(`SELECT ${placeRow.columns} FROM stream_chain s WHERE ${condition}`, values)
  return rows.map(placeRow.decode)
}

/** Makes a stream live: the follower matches it from the next block. */
export async function goLiveStream(
  tx: Transaction,
  chainId: bigint,
  { partition, streamId }: StreamChain,
): Promise<void> {
  await tx.run(
    `UPDATE stream_chain SET state = 'live', waiting = false, ${noFailure},
       head_from = least(head_from, (SELECT block_number + 1 FROM chain WHERE id = $3))
     WHERE partition = $1 AND stream_id = $2 AND chain_id = $3`,
    [partition, streamId, chainId],
  )
}

/** Moves the history of a stream to its next block. */
export async function moveHistory(
  tx: Transaction,
  chainId: bigint,
  { partition, streamId }: StreamChain,
  nextBlock: bigint,
): Promise<void> {
  await tx.run(
    `UPDATE stream_chain SET next_block = $4, waiting = false, ${noFailure} WHERE partition = $1 AND stream_id = $2 AND chain_id = $3`,
    [partition, streamId, chainId, nextBlock],
  )
}

/**
 * Moves a live stream back to history, which continues at `nextBlock` after a pause. False if the stream is not live.
 * Must be called while the chain is locked.
 */
export async function moveToHistory(
  tx: Transaction,
  chainId: bigint,
  { partition, streamId }: Pick<StreamChain, 'partition' | 'streamId'>,
  { nextBlock, failure }: { nextBlock: bigint; failure: string },
): Promise<boolean> {
  const moved = await tx.run(
    `UPDATE stream_chain SET state = 'history', next_block = greatest(from_block, $4), ${nowFailing('$5')}
     WHERE partition = $1 AND stream_id = $2 AND chain_id = $3 AND state = 'live'`,
    [partition, streamId, chainId, nextBlock, failure],
  )
  return moved > 0
}

/** Moves history, also of paused streams, back to the block above `fork`, as a reorg removed all later blocks. */
export async function revertHistory(tx: Transaction, chainId: bigint, fork: bigint): Promise<void> {
  await tx.run(
    `UPDATE stream_chain SET next_block = greatest(from_block, $2 + 1)
     WHERE chain_id = $1 AND state <> 'live' AND next_block > greatest(from_block, $2 + 1)`,
    [chainId, fork],
  )
}

/** Moves every live stream of a chain back to history, which continues above `number`. */
export async function releaseStreams(tx: Transaction, chainId: bigint, number: bigint): Promise<void> {
  await tx.run(
    `UPDATE stream_chain SET state = 'history', next_block = greatest(from_block, $2 + 1) WHERE chain_id = $1 AND state = 'live'`,
    [chainId, number],
  )
}

export async function noteHistoryFailure(
  sql: Sql,
  chainId: bigint,
  { partition, streamId }: StreamChain,
  failure: string,
): Promise<void> {
  await sql.run(
    `UPDATE stream_chain SET ${nowFailing('$4')} WHERE partition = $1 AND stream_id = $2 AND chain_id = $3 AND state = 'history'`,
    [partition, streamId, chainId, failure],
  )
}
