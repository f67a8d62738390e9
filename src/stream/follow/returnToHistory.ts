import type { Database } from '../../db/database.ts'
import { streamPartition } from '../../sync/partition.ts'
import { describeError } from '../../util/errors.ts'
import type { Log } from '../../util/log.ts'
import { moveToHistory } from '../definition/streamChain.ts'
import { holdChains, recordChange } from '../definition/streamChange.ts'
import type { MissingDataError } from './missingDataError.ts'

/**
 * Moves the streams of a node error from the chain's follower back to history, which retries. They keep their place and
 * miss nothing, however long the nodes fail, and no other stream waits for them. Returns the moved streams; the
 * follower gets each as a change.
 */
export async function returnToHistory(
  { db, log, chainId }: { db: Database; log: Log; chainId: bigint },
  error: MissingDataError,
): Promise<string[]> {
  const returned = await db.transaction(async (tx) => {
    const held = await holdChains(tx, [chainId], new Map())
    const cursor = held.get(chainId)?.cursor ?? null
    if (cursor === null) return []
    const moved: string[] = []
    for (const streamId of error.streamIds) {
      const key = { partition: streamPartition(streamId), streamId }
      if (!(await moveToHistory(tx, chainId, key, { nextBlock: cursor + 1n, failure: error.message }))) continue
      await recordChange(tx, held, { ...key, chainIds: [chainId] })
      moved.push(streamId)
    }
    return moved
  })
  log.warn({ chain: chainId, streams: returned, reason: describeError(error) }, 'streams returned to history')
  return returned
}
