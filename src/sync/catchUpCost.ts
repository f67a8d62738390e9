/** What of a chain is followed at the moment. */
export type Followed = { collections: number; streams: number }

/**
 * Milliseconds of work. These figures are estimates and were not measured: only how they stand to each other decides. A request
 * counts 5 ms, for a node that takes some 40 ms for one while eight are under way at once.
 */
const requestMs = 5

/** A block that is followed: its logs are one request, and it is a sixteenth of a transaction of some 50 ms. */
const followedBlockMs = requestMs + 3

/** A range of a collection's history: an empty answer is asked for twice, and each range is a transaction. */
const rangeMs = 2 * requestMs + 5

/** Reads of history begin 1,000 blocks wide and double while a contract is quiet, up to what the node takes. */
const blocksPerRange = 2_000

/** Each collection that was released joins again: two requests, four changes of its row, and its tokens are swept. */
const joinMs = 2 * requestMs + 20

/** Streams are matched in history each by itself, block by block, 64 blocks a transaction. */
const matchedBlockMs = requestMs + 1

/** No more missed blocks than this are always followed, which ends within 5 s: what is released is not SYNCED until it has joined again. */
export const alwaysFollowed = 5_000 / followedBlockMs

/**
 * Whether missed blocks cost less as history, a range of blocks of one contract after another, than followed one by one. The
 * cost of following is the same however much is followed; that of history grows with the number of collections and streams.
 */
export function isHistoryCheaper({ collections, streams }: Followed, missed: bigint): boolean {
  const blocks = Number(missed)
  if (blocks <= alwaysFollowed) return false
  const ranges = Math.ceil(blocks / blocksPerRange)
  return collections * (ranges * rangeMs + joinMs) + streams * blocks * matchedBlockMs < blocks * followedBlockMs
}
