import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { CommittedStep } from '../../sync/blockHandler.ts'

/** Result of reading a subject that catches up: its logs up to the last followed block, or the error. */
export type JoinRead<Subject> = { subject: Subject } & ({ logs: RpcLog[] } | { error: unknown })

type Join<Subject> = {
  subject: Subject
  /** Logs are read up to this block; later blocks are followed. */
  base: bigint
  /** Logs of the subject in blocks after `base`. */
  followed: RpcLog[]
  outcome?: { logs: RpcLog[] | undefined } | { error: unknown }
  stop: AbortController
}

/**
 * Subjects (collections or wallets) that catch up with the head. Blocks between history and cursor are read beside
 * following, however slow a node is. From the start of the read, the follower also collects the subject's logs of new
 * blocks. So both together always reach the cursor, and only storing needs time between two blocks. A reorg below the
 * first of these blocks discards the read.
 */
export type Joins<Key, Subject> = {
  /** Subjects whose new logs are collected. */
  readonly watched: ReadonlyMap<Key, unknown>
  /** Starts reading up to block `base`, the last followed one; running reads continue. */
  begin(subjects: readonly Subject[], base: bigint, signal: AbortSignal): void
  /** Reports blocks that were followed or undone. */
  committed(step: CommittedStep): void
  /** Removes and returns subjects whose read is complete. Those that a reorg affects are dropped, and may restart. */
  take(): JoinRead<Subject>[]
  /**
   * Returns the unstored part of a read, which goes up to block `base`: `take` returns it again, with logs followed
   * meanwhile.
   */
  putBack(subject: Subject, logs: RpcLog[], base: bigint): void
  close(): Promise<void>
}

/** Most collected logs of new blocks; with more, reading restarts with a later block. */
const mostFollowed = 50_000

export function createJoins<Key, Subject>(options: {
  keyOf: (subject: Subject) => Key
  /** Subjects to which the log may belong. */
  keysIn: (log: RpcLog) => readonly Key[]
  /** Reads a subject's logs from the end of its history up to block `base`; undefined if the chain moved meanwhile. */
  read: (subject: Subject, base: bigint, signal: AbortSignal) => Promise<RpcLog[] | undefined>
  /** Called when `take` has a result. */
  onRead: () => void
}): Joins<Key, Subject> {
  const { keyOf, keysIn, read, onRead } = options
  const joins = new Map<Key, Join<Subject>>()
  /** All running reads, also those whose result is not needed any more. */
  const reading = new Set<Promise<void>>()

  function drop(join: Join<Subject>): void {
    join.stop.abort()
    joins.delete(keyOf(join.subject))
  }

  /** Never throws: an error becomes the outcome, which `take` returns. */
  async function readOne(join: Join<Subject>, signal: AbortSignal): Promise<void> {
    const { subject, base, stop } = join
    try {
      join.outcome = { logs: await read(subject, base, AbortSignal.any([signal, stop.signal])) }
    } catch (error) {
      join.outcome = { error }
    }
    // If the chain moved, it restarts with the next block.
    const moved = 'logs' in join.outcome && !join.outcome.logs
    if (joins.get(keyOf(subject)) === join && !moved) onRead()
  }

  function begin(subject: Subject, base: bigint, signal: AbortSignal): void {
    const join: Join<Subject> = { subject, base, followed: [], stop: new AbortController() }
    joins.set(keyOf(subject), join)
    const done = readOne(join, signal).finally(() => reading.delete(done))
    reading.add(done)
  }

  return {
    watched: joins,
    begin(all, base, signal) {
      for (const subject of all) if (!joins.has(keyOf(subject))) begin(subject, base, signal)
    },
    committed({ fork, blocks, released }) {
      if (joins.size === 0) return
      for (const join of [...joins.values()]) {
        if (released || fork < join.base || join.followed.length > mostFollowed) drop(join)
        else join.followed = join.followed.filter((entry) => BigInt(entry.blockNumber) <= fork)
      }
      for (const { logs } of blocks)
        for (const entry of logs) for (const key of keysIn(entry)) joins.get(key)?.followed.push(entry)
    },
    take() {
      const taken: JoinRead<Subject>[] = []
      for (const join of [...joins.values()]) {
        const { subject, outcome, followed } = join
        if (!outcome) continue
        drop(join)
        if ('error' in outcome) taken.push({ subject, error: outcome.error })
        else if (outcome.logs) taken.push({ subject, logs: [...outcome.logs, ...followed] })
      }
      return taken
    },
    putBack(subject, logs, base) {
      joins.set(keyOf(subject), { subject, base, followed: [], outcome: { logs }, stop: new AbortController() })
    },
    async close() {
      for (const join of [...joins.values()]) drop(join)
      await Promise.all(reading)
    },
  }
}
