import type { Database, Sql } from '../../db/database.ts'
import { inSnapshot } from '../../db/inSnapshot.ts'
import { readPacked } from '../definition/streamAddresses.ts'
import { readLiveStreams, type StreamChain } from '../definition/streamChain.ts'
import { readChanges, shapeOf } from '../definition/streamChange.ts'
import { readStream } from '../definition/streamStore.ts'
import type { LoadedStream } from './createChainStreams.ts'

/**
 * A stream with its addresses and changes; undefined if it was deleted. Must run in a snapshot, or while the chain is
 * locked.
 */
export async function loadStream(sql: Sql, chainId: bigint, place: StreamChain): Promise<LoadedStream | undefined> {
  const { partition, streamId } = place
  const stream = await readStream(sql, streamId)
  if (!stream) return undefined
  const addresses = await readPacked(sql, { partition, id: streamId })
  const changes = await readChanges(sql, chainId, { after: 0n, streamId })
  return { place, shape: shapeOf(stream), addresses, changes: changes.filter(({ isDeleted }) => !isDeleted) }
}

/** `seq` of the last change of a stream on a chain. */
export async function lastChange(sql: Sql, chainId: bigint): Promise<bigint> {
  const [row] = await sql.rows<[bigint]>('SELECT coalesce(max(seq), 0) FROM stream_change WHERE $1 = ANY(chain_ids)', [
    chainId,
  ])
  return row?.[0] ?? 0n
}

/**
 * Loads the live streams of a chain and passes them to `onStream` one by one, so that memory has only one twice.
 * Returns the `seq` of the last change that they include.
 */
export async function loadLiveStreams(
  db: Database,
  chainId: bigint,
  onStream: (stream: LoadedStream) => void,
): Promise<bigint> {
  return inSnapshot(db, async (tx) => {
    for (const place of await readLiveStreams(tx, chainId)) {
      const loaded = await loadStream(tx, chainId, place)
      if (loaded) onStream(loaded)
    }
    return lastChange(tx, chainId)
  })
}
