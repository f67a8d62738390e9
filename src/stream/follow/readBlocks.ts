import type { Header } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { FollowedBlock } from '../../sync/blockHandler.ts'
import { followedBlock } from '../../sync/followedBlock.ts'

/** Blocks read at once. */
const readsInFlight = 8

/** Blocks as a follower would read them, for streams that come later; with every log where `logs` is true for the block. */
export async function readBlocks(options: {
  source: EvmSource
  headers: readonly Header[]
  logs: (header: Header) => boolean
  signal: AbortSignal
}): Promise<FollowedBlock[]> {
  const { source, headers, signal } = options
  const blocks: FollowedBlock[] = new Array(headers.length)
  let next = 0
  async function lane(): Promise<void> {
    for (let i = next++; i < headers.length; i = next++) {
      const header = headers[i]!
      const logs = options.logs(header) ? await source.blockLogs(header, everyLog, signal) : []
      blocks[i] = followedBlock({ source, header, logs, undoable: false, signal })
    }
  }
  await Promise.all(Array.from({ length: Math.min(readsInFlight, headers.length) }, lane))
  return blocks
}

/** The block's own bloom shows whether all are there, whoever is watched. */
const everyLog = { topics: [], watched: () => false, watchedList: () => [] }
