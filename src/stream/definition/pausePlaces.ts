import type { Sql, Transaction } from '../../db/database.ts'
import { noFailure } from './streamChain.ts'
import type { HeldChain } from './streamChange.ts'

type Key = { partition: number; id: string }

/**
 * Pauses a stream on its chains, which are locked. Its place is the first unmatched block on each: for a live stream,
 * the one after the cursor.
 */
export async function pausePlaces(tx: Transaction, held: ReadonlyMap<bigint, HeldChain>, key: Key): Promise<void> {
  const chains = [...held.values()]
  await tx.run(
    `UPDATE stream_chain s SET state = 'paused', behind = s.state = 'history', ${noFailure},
       next_block = CASE WHEN s.state = 'live' THEN greatest(s.from_block, v.cursor + 1) ELSE s.next_block END
     FROM unnest($3::bigint[], $4::bigint[]) AS v (chain, cursor)
     WHERE s.partition = $1 AND s.stream_id = $2 AND s.chain_id = v.chain AND s.state <> 'paused'`,
    [key.partition, key.id, chains.map(({ id }) => id), chains.map(({ cursor }) => cursor)],
  )
}

/** Blocks that a stream skips on a chain: from `from` to before `to`. */
type Skip = { chainId: bigint; from: bigint; to: bigint }

/**
 * Continues a paused stream as history, after the blocks that it skips. If a reorg removed blocks from before the
 * pause, their replacements are matched. The change that records the skip shows which blocks to omit. Unmatched blocks
 * from before the pause are skipped too. A stream that would start later starts there.
 */
export async function resumePlaces(tx: Transaction, key: Key, skips: readonly Skip[]): Promise<void> {
  await tx.run(
    `UPDATE stream_chain s SET state = 'history', from_block = least(s.from_block, v.block),
       next_block = CASE WHEN s.from_block > v.block THEN v.block WHEN s.next_block < v.skipped AND NOT s.waiting AND NOT s.behind THEN s.next_block ELSE greatest(s.next_block, v.block) END,
       head_from = greatest(s.head_from, (SELECT c.block_number + 1 FROM chain c WHERE c.id = s.chain_id)),
       waiting = s.waiting AND v.block IS NULL, asked = s.asked AND NOT (s.waiting AND v.block IS NOT NULL)
     FROM stream_chain own LEFT JOIN unnest($3::bigint[], $4::bigint[], $5::bigint[]) AS v (chain, skipped, block) ON v.chain = own.chain_id
     WHERE own.partition = $1 AND own.stream_id = $2 AND s.partition = own.partition AND s.stream_id = own.stream_id
       AND s.chain_id = own.chain_id AND s.state = 'paused'`,
    [
      key.partition,
      key.id,
      skips.map(({ chainId }) => chainId),
      skips.map(({ from }) => from),
      skips.map(({ to }) => to),
    ],
  )
}

/**
 * Sets new first blocks for the history of a paused stream that waits for its first address. Returns the chains where
 * it waits; others do not change.
 */
export async function moveWaiting(
  tx: Transaction,
  key: Key,
  fromBlocks: ReadonlyMap<bigint, bigint>,
): Promise<Set<bigint>> {
  const rows = await tx.rows<[bigint]>(
    `UPDATE stream_chain s SET from_block = v.block, next_block = v.block FROM unnest($3::bigint[], $4::bigint[]) AS v (chain, block)
     WHERE s.partition = $1 AND s.stream_id = $2 AND s.chain_id = v.chain AND s.waiting AND s.state = 'paused' RETURNING s.chain_id`,
    [key.partition, key.id, [...fromBlocks.keys()], [...fromBlocks.values()]],
  )
  return new Set(rows.map(([chainId]) => chainId))
}

/** First unmatched block of a stream on each chain where it is not live. */
export async function readUnfollowed(sql: Sql, key: Key): Promise<Map<bigint, bigint>> {
  return new Map(
    await sql.rows<[bigint, bigint]>(
      `SELECT chain_id, next_block FROM stream_chain WHERE partition = $1 AND stream_id = $2 AND state <> 'live'`,
      [key.partition, key.id],
    ),
  )
}
