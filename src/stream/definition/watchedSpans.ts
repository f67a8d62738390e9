import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { larger } from '../../util/extremes.ts'
import { type Address, bufferToHex } from '../../util/hex.ts'
import { packAddresses } from './streamAddresses.ts'
import { addressChange, type StreamChange } from './streamChange.ts'

type Key = { partition: number; streamId: string }

/** First block by chain at which addresses are added or removed. */
type Effective = ReadonlyMap<bigint, bigint>

/** Begins a span for removed addresses that are watched again. */
export async function beginWatching(
  tx: Transaction,
  { partition, streamId }: Key,
  addresses: readonly Uint8Array[],
  effective: Effective,
): Promise<void> {
  if (addresses.length === 0) return
  await tx.run(
    `INSERT INTO stream_watched (partition, stream_id, chain_id, address, from_block)
     SELECT s.partition, s.stream_id, s.chain_id, a.address, v.block
     FROM stream_chain s JOIN unnest($3::bigint[], $4::bigint[]) AS v (chain, block) ON v.chain = s.chain_id, unnest($5::bytea[]) AS a (address)
     WHERE s.partition = $1 AND s.stream_id = $2
     ON CONFLICT (partition, stream_id, chain_id, address, from_block) DO UPDATE SET until_block = NULL, ended_at = NULL`,
    [partition, streamId, [...effective.keys()], [...effective.values()], addresses],
  )
}

/**
 * Ends the span of removed addresses. An address that was never removed before has no row yet: its first span began
 * with the first block of its matches (`readSteadyAddresses`).
 */
export async function endWatching(
  tx: Transaction,
  { partition, streamId }: Key,
  addresses: readonly Uint8Array[],
  effective: Effective,
): Promise<void> {
  if (addresses.length === 0) return
  const values = [partition, streamId, [...effective.keys()], [...effective.values()], addresses]
  const own = 'w.partition = $1 AND w.stream_id = $2'
  await tx.run(
    `INSERT INTO stream_watched (partition, stream_id, chain_id, address, from_block, until_block, ended_at)
     SELECT s.partition, s.stream_id, s.chain_id, a.address,
       coalesce(n.from_blocks[array_position(n.chain_ids, s.chain_id)], s.from_block), v.block, now()
     FROM stream_chain s JOIN unnest($3::bigint[], $4::bigint[]) AS v (chain, block) ON v.chain = s.chain_id
     JOIN stream_address a ON a.partition = s.partition AND a.stream_id = s.stream_id AND a.address = ANY($5::bytea[])
     LEFT JOIN stream_since n ON n.partition = a.partition AND n.stream_id = a.stream_id AND n.number = a.since
     WHERE s.partition = $1 AND s.stream_id = $2
       AND NOT EXISTS (SELECT 1 FROM stream_watched w WHERE ${own} AND w.chain_id = s.chain_id AND w.address = a.address)`,
    values,
  )
  await tx.run(
    `UPDATE stream_watched w SET until_block = v.block, ended_at = now() FROM unnest($3::bigint[], $4::bigint[]) AS v (chain, block)
     WHERE ${own} AND w.chain_id = v.chain AND w.address = ANY($5::bytea[]) AND w.until_block IS NULL`,
    values,
  )
}

/** Deletes spans that ended before `before`. */
export async function forgetEnded(sql: Sql, partitions: ReadonlySet<bigint>, before: Date): Promise<void> {
  await sql.run('DELETE FROM stream_watched WHERE partition = ANY($1::smallint[]) AND ended_at < $2', [
    [...partitions],
    before,
  ])
}

/** Addresses of a stream that were ever removed, on one chain. */
export type Watched = {
  /** The addresses that are watched now. */
  addresses: Buffer[]
  /** Changes that added and removed them, by block. */
  changes: StreamChange[]
}

/** Addresses that are watched from a block and, unless it is null, up to another one. */
const spanRow = defineRow({
  from: column.int8('from_block'),
  until: column.int8('until_block').orNull(),
  addresses: column.byteaArray('array_agg(address)'),
})

/**
 * Reads addresses of a stream that were ever removed. `pending`: addresses with unread history, with the block before
 * which it ends. The stream has their matches only from that block, even if they were removed since.
 */
export async function readWatched(
  sql: Sql,
  chainId: bigint,
  { partition, streamId }: Key,
  pending: ReadonlyMap<Address, bigint>,
): Promise<Watched> {
  const rows = await sql.rows(
    `SELECT ${spanRow.columns} FROM stream_watched
     WHERE partition = $1 AND stream_id = $2 AND chain_id = $3 GROUP BY 1, 2 ORDER BY 1, 2`,
    [partition, streamId, chainId],
  )
  const watched: Watched = { addresses: [], changes: [] }
  const key = { partition, streamId }
  for (const { from, until, addresses } of rows.map(spanRow.decode))
    for (const [since, own] of Map.groupBy(addresses, (address) =>
      larger(from, pending.get(bufferToHex(address)) ?? from),
    )) {
      if (until !== null && until <= since) continue
      watched.changes.push(addressChange(key, { effective: since, added: packAddresses(own) }))
      if (until === null) watched.addresses = watched.addresses.concat(own)
      else watched.changes.push(addressChange(key, { effective: until, removed: packAddresses(own) }))
    }
  return watched
}
