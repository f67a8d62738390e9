import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { CommittedStep } from '../../sync/blockHandler.ts'
import type { Address } from '../../util/hex.ts'
import type { Joinable } from '../store/liveCollections.ts'

/** What was read of a collection that is to join the head: its logs up to the block followed now, or why there are none. */
export type JoinRead = { due: Joinable } & ({ logs: RpcLog[] } | { error: unknown })

type Join = {
  due: Joinable
  /** The block up to which is read; the later ones are followed. */
  base: bigint
  /** Its logs of the blocks that were followed since. */
  followed: RpcLog[]
  outcome?: { logs: RpcLog[] | undefined } | { error: unknown }
  stop: AbortController
}

/**
 * Collections on their way to the head. What lies between a collection's history and the cursor is read beside following,
 * however long a node takes for it; from the first moment on the collection is watched like those that are live, and its logs
 * of the blocks followed meanwhile are kept. So the two together reach the cursor at any time, and only storing them waits for
 * a turn between two blocks. A reorganisation below the block where reading began makes it void.
 */
export type Joins = {
  /** Collections whose logs must not be missed. */
  readonly watched: ReadonlyMap<Address, unknown>
  /** Begins to read, up to block `base`, which is the last one followed. Those that are under way go on. */
  begin(due: readonly Joinable[], base: bigint, signal: AbortSignal): void
  committed(step: CommittedStep): void
  /** Takes out what has been read. Without those that are to begin anew, as the chain moved. */
  take(): JoinRead[]
  close(): Promise<void>
}

/** More logs than this of the blocks followed meanwhile: reading begins anew from a later block. */
const mostFollowed = 50_000

export function createJoins(options: {
  /** The logs of a collection after its history up to a block, all of the chain that is followed; undefined where it moved. */
  read: (due: Joinable, base: bigint, signal: AbortSignal) => Promise<RpcLog[] | undefined>
  /** Something can be taken. */
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

  /** Never throws: what went wrong is taken like anything else. */
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
    async close() {
      for (const join of [...joins.values()]) drop(join)
      await Promise.all(reading)
    },
  }
}
