/** How many collections and streams follow a chain. `discovers`: blocks that are not followed are never read for new contracts. */
export type Followed = { collections: number; streams: number; discovers?: boolean }

/**
 * Milliseconds of work for a request: a node takes some 40 ms for one, and eight are in progress at once. This figure and those below
 * are estimates and were not measured; only their ratios decide.
 */
const requestMs = 5

/** Following a block: one request for its logs, and its part of a transaction. */
const followedBlockMs = requestMs + 3

/** Reading a range of a collection's history: two requests, as an empty answer is requested twice, and a transaction. */
const rangeMs = 2 * requestMs + 5

/** Reads of history begin 1,000 blocks wide and double while a contract is quiet, up to what the node takes. */
const blocksPerRange = 2_000

/** Joining again, for each collection that was released: two requests, four changes of its row, and a sweep of its tokens. */
const joinMs = 2 * requestMs + 20

/** Matching a block in the history of a stream, where each stream reads for itself, 64 blocks a transaction. */
const matchedBlockMs = requestMs + 1

/** Up to so many missed blocks are always followed, which takes 5 s: collections that are released are not SYNCED until they have joined again. */
export const alwaysFollowed = 5_000 / followedBlockMs

/** The same where new contracts are to be found in them: 3 min. */
const discoveredBlocks = 20_000

/**
 * Whether missed blocks cost less as history, read range by range for each contract, than followed one by one. Following costs the
 * same however many collections and streams there are; the cost of history grows with their number.
 */
export function isHistoryCheaper({ collections, streams, discovers = false }: Followed, missed: bigint): boolean {
  const blocks = Number(missed)
  if (blocks <= (discovers ? discoveredBlocks : alwaysFollowed)) return false
  const ranges = Math.ceil(blocks / blocksPerRange)
  return collections * (ranges * rangeMs + joinMs) + streams * blocks * matchedBlockMs < blocks * followedBlockMs
}
