import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { CommittedStep } from '../../sync/blockHandler.ts'

/** What was read of a subject that is to join the head: its logs up to the last followed block, or why they could not be read. */
export type JoinRead<Due> = { due: Due } & ({ logs: RpcLog[] } | { error: unknown })

type Join<Due> = {
  due: Due
  /** The block up to which logs are read; later blocks are followed. */
  base: bigint
  /** Logs of the subject in blocks that were followed after `base`. */
  followed: RpcLog[]
  outcome?: { logs: RpcLog[] | undefined } | { error: unknown }
  stop: AbortController
}

/**
 * Subjects, which are collections or wallets, on their way to the head. The blocks between a history and the cursor are read beside following,
 * however long a node takes for that. From the moment at which reading begins the subject is watched like those that are live, and
 * its logs in newly followed blocks are kept. So both together always reach the cursor, and only storing them waits for a time slice
 * between two blocks. A reorganisation below the block at which reading began makes what was read void.
 */
export type Joins<Key, Due> = {
  /** Subjects whose logs must not be missed. */
  readonly watched: ReadonlyMap<Key, unknown>
  /** Begins to read up to block `base`, the last one followed; subjects that are being read already continue. */
  begin(due: readonly Due[], base: bigint, signal: AbortSignal): void
  /** Reports blocks that were followed or undone. */
  committed(step: CommittedStep): void
  /** Takes out the subjects that have been read. Those under which the chain moved are dropped, and may restart. */
  take(): JoinRead<Due>[]
  /** Puts back what was read up to block `base`, as only a part of it was stored: `take` gives it again, with what is followed meanwhile. */
  putBack(due: Due, logs: RpcLog[], base: bigint): void
  close(): Promise<void>
}

/** Most logs kept of newly followed blocks; with more, reading restarts, up to a later block. */
const mostFollowed = 50_000

export function createJoins<Key, Due>(options: {
  keyOf: (due: Due) => Key
  /** Whose log it may be. */
  keysIn: (log: RpcLog) => readonly Key[]
  /** Reads the logs of a subject from the end of its history up to block `base`; undefined if the chain moved meanwhile. */
  read: (due: Due, base: bigint, signal: AbortSignal) => Promise<RpcLog[] | undefined>
  /** Called when `take` has something to give. */
  onRead: () => void
}): Joins<Key, Due> {
  const { keyOf, keysIn, read, onRead } = options
  const joins = new Map<Key, Join<Due>>()
  /** Every reading in progress, also those whose result is no longer wanted. */
  const reading = new Set<Promise<void>>()

  function drop(join: Join<Due>): void {
    join.stop.abort()
    joins.delete(keyOf(join.due))
  }

  /** Never throws: an error becomes the outcome, which `take` gives. */
  async function readOne(join: Join<Due>, signal: AbortSignal): Promise<void> {
    const { due, base, stop } = join
    try {
      join.outcome = { logs: await read(due, base, AbortSignal.any([signal, stop.signal])) }
    } catch (error) {
      join.outcome = { error }
    }
    // If the chain moved, the next block is soon enough to restart.
    const moved = 'logs' in join.outcome && !join.outcome.logs
    if (joins.get(keyOf(due)) === join && !moved) onRead()
  }

  function begin(due: Due, base: bigint, signal: AbortSignal): void {
    const join: Join<Due> = { due, base, followed: [], stop: new AbortController() }
    joins.set(keyOf(due), join)
    const done = readOne(join, signal).finally(() => reading.delete(done))
    reading.add(done)
  }

  return {
    watched: joins,
    begin(all, base, signal) {
      for (const due of all) if (!joins.has(keyOf(due))) begin(due, base, signal)
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
      const taken: JoinRead<Due>[] = []
      for (const join of [...joins.values()]) {
        const { due, outcome, followed } = join
        if (!outcome) continue
        drop(join)
        if ('error' in outcome) taken.push({ due, error: outcome.error })
        else if (outcome.logs) taken.push({ due, logs: [...outcome.logs, ...followed] })
      }
      return taken
    },
    putBack(due, logs, base) {
      joins.set(keyOf(due), { due, base, followed: [], outcome: { logs }, stop: new AbortController() })
    },
    async close() {
      for (const join of [...joins.values()]) drop(join)
      await Promise.all(reading)
    },
  }
}
