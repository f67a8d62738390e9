/** Number of collections and streams that follow a chain. `discovers`: only followed blocks are searched for new contracts. */
export type Followed = { collections: number; streams: number; discovers?: boolean }

/**
 * Milliseconds of work per request: a node takes about 40 ms, and eight are in progress. This figure and those below are estimates; only their ratios
 * matter.
 */
const requestMs = 5

/** Following a block: one request for its logs, and its share of a transaction. */
const followedBlockMs = requestMs + 3

/** Reading a range of a collection's history: two requests, as an empty answer is confirmed by a second one, and a transaction. */
const rangeMs = 2 * requestMs + 5

/** Ranges of history start at 1,000 blocks and double while a contract is quiet, up to the node's limit. */
const blocksPerRange = 2_000

/** Joining again, per released collection: two requests, four changes of its row, and a sweep of its tokens. */
const joinMs = 2 * requestMs + 20

/** Matching a block in a stream's history, where each stream reads separately, 64 blocks per transaction. */
const matchedBlockMs = requestMs + 1

/** Missed blocks that are always followed, which takes 5 s: released collections are not SYNCED until they have joined again. */
export const alwaysFollowed = 5_000 / followedBlockMs

/** The same with discovery of new contracts: 3 min. */
const discoveredBlocks = 20_000

/**
 * Whether missed blocks are cheaper as history, by ranges for each contract, than by following. The cost of following does not depend on the number
 * of collections and streams; that of history grows with it.
 */
export function isHistoryCheaper({ collections, streams, discovers = false }: Followed, missed: bigint): boolean {
  const blocks = Number(missed)
  if (blocks <= (discovers ? discoveredBlocks : alwaysFollowed)) return false
  const ranges = Math.ceil(blocks / blocksPerRange)
  return collections * (ranges * rangeMs + joinMs) + streams * blocks * matchedBlockMs < blocks * followedBlockMs
}
