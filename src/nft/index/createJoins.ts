import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { CommittedStep } from '../../sync/blockHandler.ts'
import type { Address } from '../../util/hex.ts'
import type { Joinable } from '../store/liveCollections.ts'

/** What was read of a collection that is to join the head: its logs up to the last followed block, or why they could not be read. */
export type JoinRead = { due: Joinable } & ({ logs: RpcLog[] } | { error: unknown })

type Join = {
  due: Joinable
  /** The block up to which logs are read; later blocks are followed. */
  base: bigint
  /** Logs of the collection in blocks that were followed after `base`. */
  followed: RpcLog[]
  outcome?: { logs: RpcLog[] | undefined } | { error: unknown }
  stop: AbortController
}

/**
 * Collections on their way to the head. The blocks between a collection's history and the cursor are read beside following,
 * however long a node takes for that. From the moment at which reading begins the collection is watched like those that are live, and
 * its logs in newly followed blocks are kept. So both together always reach the cursor, and only storing them waits for a turn
 * between two blocks. A reorganisation below the block at which reading began makes what was read void.
 */
export type Joins = {
  /** Collections whose logs must not be missed. */
  readonly watched: ReadonlyMap<Address, unknown>
  /** Begins to read up to block `base`, the last one followed; collections that are being read already go on. */
  begin(due: readonly Joinable[], base: bigint, signal: AbortSignal): void
  /** Tells of blocks that were followed or undone. */
  committed(step: CommittedStep): void
  /** Takes out the collections that have been read. Those under which the chain moved are dropped, and may begin anew. */
  take(): JoinRead[]
  /** Puts back what was read up to block `base`, as only a part of it was stored: `take` gives it again, with what is followed meanwhile. */
  putBack(due: Joinable, logs: RpcLog[], base: bigint): void
  close(): Promise<void>
}

/** Most logs kept of newly followed blocks; with more, reading begins anew, up to a later block. */
const mostFollowed = 50_000

export function createJoins(options: {
  /** Reads the logs of a collection from the end of its history up to block `base`; undefined where the chain moved meanwhile. */
  read: (due: Joinable, base: bigint, signal: AbortSignal) => Promise<RpcLog[] | undefined>
  /** Called when `take` has something to give. */
  onRead: () => void
}): Joins {
  const { read, onRead } = options
  const joins = new Map<Address, Join>()
  /** Every reading under way, also those whose result is no longer wanted. */
  const reading = new Set<Promise<void>>()

  function drop(join: Join): void {
    join.stop.abort()
    joins.delete(join.due.address)
  }

  /** Never throws: an error becomes the outcome, which `take` gives. */
  async function readOne(join: Join, signal: AbortSignal): Promise<void> {
    const { due, base, stop } = join
    try {
      join.outcome = { logs: await read(due, base, AbortSignal.any([signal, stop.signal])) }
    } catch (error) {
      join.outcome = { error }
    }
    // Where the chain moved, the next block is soon enough to begin anew.
    const moved = 'logs' in join.outcome && !join.outcome.logs
    if (joins.get(due.address) === join && !moved) onRead()
  }

  function begin(due: Joinable, base: bigint, signal: AbortSignal): void {
    const join: Join = { due, base, followed: [], stop: new AbortController() }
    joins.set(due.address, join)
    const done = readOne(join, signal).finally(() => reading.delete(done))
    reading.add(done)
  }

  return {
    watched: joins,
    begin(all, base, signal) {
      for (const due of all) if (!joins.has(due.address)) begin(due, base, signal)
    },
    committed({ fork, blocks, released }) {
      if (joins.size === 0) return
      for (const join of [...joins.values()]) {
        if (released || fork < join.base || join.followed.length > mostFollowed) drop(join)
        else join.followed = join.followed.filter((entry) => BigInt(entry.blockNumber) <= fork)
      }
      for (const { logs } of blocks) for (const entry of logs) joins.get(entry.address)?.followed.push(entry)
    },
    take() {
      const taken: JoinRead[] = []
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
      joins.set(due.address, { due, base, followed: [], outcome: { logs }, stop: new AbortController() })
    },
    async close() {
      for (const join of [...joins.values()]) drop(join)
      await Promise.all(reading)
    },
  }
}
