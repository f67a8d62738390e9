import type { EvmChain } from '../../chain/evm/chains.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { isConnectionError } from '../../db/databaseError.ts'
import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import { type BlockHandler, type ChainCursor, unionOf } from '../../sync/blockHandler.ts'
import { blockHashes, keptBelowFinalized, readChain } from '../../sync/chainStore.ts'
import { holdsLease } from '../../sync/leases/lease.ts'
import { smaller } from '../../util/extremes.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import { type Address, quantity } from '../../util/hex.ts'
import { metadataTopics } from '../metadata/store/changedIds.ts'
import { metadataDemandChannel } from '../metadata/store/createMetadataDemand.ts'
import { markChanged, metadataChanges } from '../metadata/store/markChanged.ts'
import { forgetUpdates, recordUpdates, revertUpdates } from '../metadata/store/undoUpdates.ts'
import { raiseVersions } from '../store/collectionStore.ts'
import { goLive, type Joinable, postponeJoin, readJoinable, readLive, releaseLive } from '../store/liveCollections.ts'
import { forgetUndo, revertTransfers } from '../store/revertTransfers.ts'
import { createLogStore } from '../store/storeLogs.ts'
import { transferTopics } from '../transfers/decodeTransfers.ts'
import type { CollectionKey, TransferGroup } from '../transfers/transferGroup.ts'
import { createJoins, type JoinRead } from './createJoins.ts'
import { warnLeftOut } from './warnLeftOut.ts'

/** Pause of a collection that could not join. */
const joinPauseSeconds = 5

/** Collections that are read at once on their way to the head. */
const joinsAtOnce = 16

export type FollowCollectionsOptions = {
  chain: EvmChain
  source: EvmSource
  db: Database
  /** A token whose document was read is left alone for so long, whatever its contract announces. */
  metadataCoolOffMs: number
  /** Most tokens of one collection. */
  maxTokens: number
  metrics: Metrics
  log: Log
  /** Called when a collection can join: the follower has something to do between two blocks. */
  onRead?: () => void
}

/** The handler of `createFollower` that applies a chain's blocks to its collections. */
export async function followCollections(options: FollowCollectionsOptions): Promise<BlockHandler> {
  const { chain, source, db, metrics, log } = options
  const live = byAddress(await readLive(db, chain.id))
  const joins = createJoins({ read: readUpTo, onRead: options.onRead ?? (() => undefined) })

  const logStore = createLogStore({
    chainId: chain.id,
    maxTokens: options.maxTokens,
    onLeftOut: (collection, leftOut) =>
      warnLeftOut(log, { chain: chain.name, collection: collection.address }, leftOut),
  })

  async function storeLogs(
    tx: Transaction,
    logs: readonly RpcLog[],
    collections: ReadonlyMap<Address, CollectionKey>,
    undoable: bigint | undefined,
    onStored?: (groups: TransferGroup[]) => Promise<void>,
  ): Promise<void> {
    const undo = undoable === undefined ? undefined : { chainId: chain.id, number: undoable }
    const rows = await logStore.store(tx, logs, collections, { undo, ...(onStored && { onStored }) })
    if (rows > 0) metrics.rows.inc({ chain: chain.name, table: 'transfer' }, rows)
  }

  /**
   * The logs of one collection from the end of its history to block `to`; undefined where a block of them is none of the followed ones, as
   * the chain moved.
   */
  async function readUpTo(collection: Joinable, to: bigint, signal: AbortSignal): Promise<RpcLog[] | undefined> {
    const known = await blockHashes(db, chain.id, collection.toBlock + 1n)
    const logs: RpcLog[] = []
    for (let from = collection.toBlock + 1n; from <= to; ) {
      const range = {
        address: collection.address,
        topics: [transferTopics(collection.standard)],
        from,
        to,
      }
      const answer = await source.logs(range, signal)
      if (known.get(answer.to) !== answer.toHash) return undefined
      if (answer.logs.some((entry) => known.get(BigInt(entry.blockNumber)) !== entry.blockHash)) return undefined
      for (const entry of answer.logs) logs.push(entry)
      from = answer.to + 1n
    }
    return logs
  }

  /** A collection that cannot join stops neither the chain nor the others: it is tried again a little later. */
  async function joinUnlessFaulty(cursor: ChainCursor, read: JoinRead, signal: AbortSignal): Promise<boolean> {
    const { due } = read
    try {
      if ('error' in read) throw read.error
      return await joinOne(cursor, due, read.logs)
    } catch (err) {
      if (signal.aborted) return false
      // Nobody knows whether the transaction made the collection live: the handler has to be made anew.
      if (isConnectionError(err)) throw err
      log.warn({ chain: chain.name, collection: due.address, err }, 'collection could not join')
      await postponeJoin(db, due, shownReason(err), joinPauseSeconds)
      return false
    }
  }

  /** `logs`: all from the end of the collection's history up to the cursor. Those that the history covers by now are not stored again. */
  async function joinOne(cursor: ChainCursor, due: Joinable, logs: readonly RpcLog[]): Promise<boolean> {
    const { toBlock: _, ...key } = due
    const only = new Map([[due.address, key]])
    const joined = await db.transaction(async (tx) => {
      const row = await readChain(tx, chain.id, true)
      if (row?.block?.hash !== cursor.hash) return false
      if (!(await holdsLease(tx, 'chain', chain.id, cursor.worker))) return false
      const covered = await goLive(tx, due, { from: due.toBlock, to: lastFinal(cursor) })
      if (covered === undefined) return false
      const missing = logs.filter((entry) => BigInt(entry.blockNumber) > covered)
      const final = missing.filter((entry) => BigInt(entry.blockNumber) <= cursor.finalized)
      await storeLogs(tx, final, only, undefined)
      for (const [number, own] of Map.groupBy(missing, (entry) => BigInt(entry.blockNumber)))
        if (number > cursor.finalized) await storeLogs(tx, own, only, number)
      await tx.rows('SELECT pg_notify($1, $2)', [metadataDemandChannel, ''])
      return true
    })
    if (joined) {
      live.set(due.address, key)
      log.info({ chain: chain.name, collection: due.address, block: String(cursor.number) }, 'collection is live')
    }
    return joined
  }

  return {
    topics: [...transferTopics(undefined), ...metadataTopics],
    watched: () => unionOf([live, joins.watched]),
    followed: () => ({ collections: live.size, streams: 0 }),

    async apply(tx, { header, logs, undoable }) {
      let stored: TransferGroup[] = []
      const applyChanges = async (groups: readonly TransferGroup[], of: readonly RpcLog[]) => {
        const changes = metadataChanges(groups, of, live)
        await markChanged(tx, changes, options.metadataCoolOffMs)
        if (undoable) await recordUpdates(tx, changes, { chainId: chain.id, number: header.number })
      }
      // Not every node tells the time of the block in its logs.
      const timed = logs.map((entry) => ({ ...entry, blockTimestamp: quantity(header.timestamp) }))
      await storeLogs(tx, timed, live, undoable ? header.number : undefined, async (groups) => {
        if (stored.length > 0) await applyChanges(stored, [])
        stored = groups
      })
      // Only with the last groups: events may name tokens that any part of the block minted.
      await applyChanges(stored, logs)
    },

    async revert(tx, fork) {
      await raiseVersions(tx, await revertTransfers(tx, chain.id, fork))
      await revertUpdates(tx, chain.id, fork, options.metadataCoolOffMs)
    },

    async finalize(tx, number) {
      await forgetUndo(tx, chain.id, number)
      await forgetUpdates(tx, chain.id, number)
    },

    async release(tx, number) {
      await releaseLive(tx, chain.id, number)
      await forgetUndo(tx, chain.id)
      await forgetUpdates(tx, chain.id)
    },

    committed(step) {
      if (step.released) {
        live.clear()
        logStore.forget()
      }
      joins.committed(step)
    },

    async join(cursor, signal) {
      let joined = false
      for (const read of joins.take()) joined = (await joinUnlessFaulty(cursor, read, signal)) || joined
      const { size } = joins.watched
      const range = { from: cursor.finalized - keptBelowFinalized, to: lastFinal(cursor) }
      const due = size < joinsAtOnce ? await readJoinable(db, chain.id, range, joinsAtOnce + size) : []
      joins.begin(due.slice(0, joinsAtOnce), cursor.number, signal)
      return joined
    },

    close: joins.close,
  }
}

/**
 * The last block that a collection's history may end with when it joins. History is read of blocks that are final by the nodes; above what
 * is final here, the chain may still be followed on a fork that was undone.
 */
const lastFinal = ({ number, finalized }: ChainCursor) => smaller(number, finalized)

function byAddress(collections: readonly CollectionKey[]): Map<Address, CollectionKey> {
  return new Map(collections.map((collection) => [collection.address, collection]))
}
