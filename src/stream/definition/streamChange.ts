import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { writeChains } from '../../sync/chainStore.ts'
import { larger, smaller } from '../../util/extremes.ts'
import type { StreamDefinition } from '../streamDefinition.ts'
import { readNeededChains } from './neededChains.ts'
import type { StreamRow } from './streamStore.ts'

/** PostgreSQL channel that notifies followers and history of changed streams. */
export const streamChannel = 'mintmark_streams'

/** Input of matching, besides addresses. Not `active`: the stream skips these blocks. */
export type StreamShape = { active: boolean; tag: string; chainIds: string[]; definition: StreamDefinition }

export function shapeOf({
  tag,
  chainIds,
  definition,
}: Pick<StreamRow, 'tag' | 'chainIds' | 'definition'>): StreamShape {
  return { active: true, tag, chainIds: chainIds.map(String), definition }
}

/** A row of `stream_change`, for chain $1. */
const changeRow = defineRow({
  seq: column.int8('seq'),
  partition: column.int2('partition'),
  streamId: column.uuid('stream_id::text'),
  /** First block to which the change applies. */
  effective: column.int8('effective[array_position(chain_ids, $1)]'),
  before: column.jsonb<StreamShape>('before').orNull(),
  after: column.jsonb<StreamShape>('after').orNull(),
  isDeleted: column.bool('gone'),
  added: column.bytea('added').orNull(),
  removed: column.bytea('removed').orNull(),
})

/** A change of a stream on one chain. */
export type StreamChange = RowOf<typeof changeRow>

/** A change of a stream's addresses, for changes that are derived from stored data. */
export function addressChange(
  { partition, streamId }: Pick<StreamChange, 'partition' | 'streamId'>,
  change: Pick<StreamChange, 'effective'> & Partial<Pick<StreamChange, 'added' | 'removed'>>,
): StreamChange {
  return {
    seq: 0n,
    partition,
    streamId,
    before: null,
    after: null,
    isDeleted: false,
    added: null,
    removed: null,
    ...change,
  }
}

export type NewChange = {
  partition: number
  streamId: string
  chainIds: readonly bigint[]
  /** First block by chain, instead of the next block. */
  from?: ReadonlyMap<bigint, bigint>
  before?: StreamShape
  after?: StreamShape
  isDeleted?: boolean
  added?: Buffer | null
  removed?: Buffer | null
}

/** Heads of chains where a change applies after the head: the cursor may be far behind. */
export type FreshHeads = ReadonlyMap<bigint, bigint>

/** A cursor without an update for this long may be far behind the head: a change then applies from the head. */
const staleSeconds = 30

/** Chains that no stream needs, as their followers may just have ended, chains whose cursor is stale, and chains that were never opened. */
export async function unfollowedChains(sql: Sql, chainIds: readonly bigint[]): Promise<bigint[]> {
  const needed = new Set(await readNeededChains(sql, chainIds))
  const rows = await sql.rows<[bigint]>(
    `SELECT id FROM unnest($1::bigint[]) AS v (id) WHERE NOT EXISTS (
       SELECT 1 FROM chain c WHERE c.id = v.id AND block_number IS NOT NULL AND updated_at > now() - make_interval(secs => ${staleSeconds}))`,
    [chainIds],
  )
  const stale = new Set(rows.map(([id]) => id))
  return chainIds.filter((id) => stale.has(id) || !needed.has(id))
}

/** Chains whose cursor is below a head that a node reported. That head was not checked: it may be above the chain. */
export async function laggingChains(sql: Sql, chainIds: readonly bigint[]): Promise<bigint[]> {
  const rows = await sql.rows<[bigint]>(
    'SELECT id FROM chain WHERE id = ANY($1::bigint[]) AND head_number > block_number ORDER BY id',
    [chainIds],
  )
  return rows.map(([id]) => id)
}

/**
 * A chain that is locked until the transaction ends, so that its follower cannot continue. `next`: the first block of a
 * change.
 */
export type HeldChain = { id: bigint; cursor: bigint | null; next: bigint }

/**
 * Locks chains, and returns the first block of a change on each: the one after the cursor, or after the head in `heads`
 * if that is newer. Locks in the order of ids, so that two changes cannot deadlock.
 */
export async function holdChains(
  tx: Transaction,
  chainIds: readonly bigint[],
  heads: FreshHeads,
): Promise<Map<bigint, HeldChain>> {
  const rows = await tx.rows<[bigint, bigint | null]>(
    'SELECT id, block_number FROM chain WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE',
    [chainIds],
  )
  // On a cluster this locks the coordinator's copy of the row. Writing also locks the copies on all nodes, so that the
  // next block waits for the change everywhere.
  await writeChains(tx, chainIds)
  return new Map(
    rows.map(([id, cursor]) => {
      const head = heads.get(id) ?? -1n
      const next = larger(cursor ?? -1n, head) + 1n
      return [id, { id, cursor, next }]
    }),
  )
}

/**
 * Records a change of a stream on locked chains. Returns the first block of the change for each chain. Changes of a
 * stream apply in the order in which they were made, even if a reorg moved the cursor back in between. For a stream
 * whose history has not begun, a change applies from the first block of that history; for a paused stream, from its
 * place. It never applies later than from the next block, as the start of a stream may move there.
 */
export async function recordChange(
  tx: Transaction,
  held: ReadonlyMap<bigint, HeldChain>,
  change: NewChange,
): Promise<Map<bigint, bigint>> {
  const chainIds = change.chainIds.filter((id) => held.has(id))
  const earlier = await tx.rows<[bigint, bigint]>(
    `SELECT v.chain, max(v.block) FROM stream_change c, unnest(c.chain_ids, c.effective) AS v (chain, block)
     WHERE c.partition = $1 AND c.stream_id = $2 GROUP BY v.chain`,
    [change.partition, change.streamId],
  )
  const latest = new Map(earlier)
  const continueAt = new Map(
    await tx.rows<[bigint, bigint]>(
      `SELECT chain_id, CASE WHEN waiting THEN from_block ELSE next_block END FROM stream_chain
       WHERE partition = $1 AND stream_id = $2 AND (waiting OR state = 'paused') ORDER BY chain_id FOR UPDATE`,
      [change.partition, change.streamId],
    ),
  )
  const effective = new Map(
    chainIds.map((id) => {
      const { next } = held.get(id)!
      const place = change.from?.get(id) ?? continueAt.get(id) ?? next
      return [id, larger(smaller(place, next), latest.get(id) ?? 0n)]
    }),
  )
  await tx.run(
    `INSERT INTO stream_change (partition, stream_id, chain_ids, effective, before, after, gone, added, removed)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      change.partition,
      change.streamId,
      chainIds,
      chainIds.map((id) => effective.get(id)),
      change.before ? JSON.stringify(change.before) : null,
      change.after ? JSON.stringify(change.after) : null,
      change.isDeleted ?? false,
      change.added ?? null,
      change.removed ?? null,
    ],
  )
  await tx.rows('SELECT pg_notify($1, $2)', [streamChannel, change.streamId])
  return effective
}

/** Changes on a chain, of one stream or of all, after `after` in the order of `seq`. */
export async function readChanges(
  sql: Sql,
  chainId: bigint,
  options: { after: bigint; streamId?: string },
): Promise<StreamChange[]> {
  const rows = await sql.rows(
    `SELECT ${changeRow.columns} FROM stream_change
     WHERE seq > $2 AND $1 = ANY(chain_ids) AND ($3::uuid IS NULL OR stream_id = $3) ORDER BY seq`,
    [chainId, options.after, options.streamId ?? null],
  )
  return rows.map(changeRow.decode)
}

/**
 * Deletes changes that apply to every unmatched block, and places of streams on former chains. Changes of a definition
 * are kept: the history of added addresses needs them to omit what the stream already matched.
 */
export async function forgetChanges(sql: Sql): Promise<void> {
  await sql.run(
    `DELETE FROM stream_change c WHERE created_at < now() - interval '5 minutes'
     AND NOT EXISTS (SELECT 1 FROM unnest(c.chain_ids, c.effective) AS v (chain, block) JOIN chain ON chain.id = v.chain
       WHERE chain.block_number IS NULL OR v.block > least(chain.finalized_number, chain.block_number))
     AND NOT EXISTS (SELECT 1 FROM stream_chain s WHERE s.partition = c.partition AND s.stream_id = c.stream_id
       AND (s.state <> 'live' OR c.before::text <> c.after::text))`,
  )
  await sql.run(
    `DELETE FROM stream_chain s WHERE NOT EXISTS (
       SELECT 1 FROM stream t WHERE t.partition = s.partition AND t.id = s.stream_id AND s.chain_id = ANY(t.chain_ids))
     AND NOT EXISTS (SELECT 1 FROM stream_change c, unnest(c.chain_ids, c.effective) AS v (chain, block) JOIN chain ON chain.id = v.chain
       WHERE c.partition = s.partition AND c.stream_id = s.stream_id AND v.chain = s.chain_id AND (c.created_at > now() - interval '5 minutes'
         OR chain.block_number IS NULL OR v.block > least(chain.finalized_number, chain.block_number)))`,
  )
}
