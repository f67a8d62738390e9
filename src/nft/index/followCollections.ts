import type { EvmChain } from '../../chain/evm/chains.ts'
import type { ContractReader } from '../../chain/evm/contracts/contract.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource, Topics } from '../../chain/evm/source/source.ts'
import type { Database } from '../../db/database.ts'
import { isConnectionError } from '../../db/databaseError.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { type BlockHandler, type ChainCursor, lastFinal, unionOf } from '../../sync/blockHandler.ts'
import { keptBelowFinalized, reviseChain } from '../../sync/chainStore.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import { type Address, quantity } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { metadataTopics } from '../metadata/store/changedIds.ts'
import { metadataDemandChannel } from '../metadata/store/createMetadataDemand.ts'
import { forgetUpdates, revertUpdates } from '../metadata/store/undoUpdates.ts'
import { raiseVersions } from '../store/collectionStore.ts'
import { collectionHistory, postponeJoinOf } from '../store/historyQueue.ts'
import {
  demoteCollection,
  goLive,
  isDecided,
  type Joinable,
  readCatchingUp,
  readJoinable,
  readLive,
  releaseLive,
  revertParts,
} from '../store/liveCollections.ts'
import { requeueFormed } from '../store/requeueCollections.ts'
import { forgetUndo, revertTransfers } from '../store/revertTransfers.ts'
import { warnSkipped } from '../store/skippedTransfers.ts'
import { createLogStore } from '../store/storeLogs.ts'
import { markUncertain } from '../store/uncertainIdentities.ts'
import { surveyLogs, topicsOf, transferTopics } from '../transfers/decodeTransfers.ts'
import { mayShowStandard } from '../transfers/transferForm.ts'
import { byAddress, type CollectionKey } from '../transfers/transferGroup.ts'
import { createConfirmations } from './confirmIdentities.ts'
import { createBlockStore } from './createBlockStore.ts'
import { createJoins, type JoinRead } from './createJoins.ts'
import { betweenBlocks, createUndoing } from './createUndoing.ts'
import { followedIn, mostPartTransfers, planDemotions } from './planDemotions.ts'
import { readFollowedLogs } from './readFollowedLogs.ts'
import { releaseCatchingUp, storeNextPart } from './storeNextPart.ts'
import { openUndecided } from './undecidedCollections.ts'

/** Delay before the next attempt of a collection that could not join. */
const joinPauseSeconds = 5

/** Collections read in parallel while catching up. */
const joinsAtOnce = 16

export type FollowCollectionsOptions = {
  chain: EvmChain
  source: EvmSource
  contracts: Pick<ContractReader, 'identify'>
  db: Database
  /** Metadata is not read again within this time, whatever its contract announces. */
  metadataCoolOffMs: number
  /** Token limit per collection. */
  maxTokens: number
  /** Most transfers per transaction; default: `mostPartTransfers`. */
  mostTransfers?: number
  metrics: Metrics
  log: Log
  /** Called when a collection can join: the follower must act between two blocks. */
  onRead?: () => void
}

/** Block handler of `createFollower` for the chain's collections. */
export async function followCollections(options: FollowCollectionsOptions): Promise<BlockHandler> {
  const { chain, source, db, metrics, log, mostTransfers = mostPartTransfers } = options
  const live = byAddress(await readLive(db, chain.id))
  const undecided = await openUndecided(db, chain.id)
  const identities = createConfirmations({ chain, source, contracts: options.contracts, db, log })
  /** Collections with stored parts: metadata events of their contracts are followed. */
  const catchingUp = byAddress(await readCatchingUp(db, chain.id))
  /** Collections that leave the head in the current step, with the first block without them. */
  let demoted = new Map<Address, bigint>()
  /** Collections that are not released with the others, as they still undo blocks. */
  let unreleased = new Map<Address, CollectionKey>()
  async function read({ address, standard, coins, toBlock, wasLive }: Joinable, to: bigint, signal: AbortSignal) {
    const range = { address, from: toBlock + 1n, to }
    const logsOf = (topics: Topics) => readFollowedLogs({ source, db, chainId: chain.id }, { ...range, topics }, signal)
    const [moved, announced] = await Promise.all([
      logsOf(topicsOf(standard === null ? coins : standard === 'ERC1155')),
      wasLive ? logsOf([metadataTopics]) : [],
    ])
    return (
      moved && announced && [...moved, ...announced].toSorted((a, b) => Number(a.blockNumber) - Number(b.blockNumber))
    )
  }
  const between = betweenBlocks(db, chain.id)
  const joins = createJoins<Address, Joinable>({
    ...{ keyOf: ({ address }) => address, keysIn: ({ address }) => [address] },
    read,
    onRead: options.onRead ?? (() => undefined),
  })

  const logStore = createLogStore({
    chainId: chain.id,
    maxTokens: options.maxTokens,
    onSkipped: (collection, skipped) =>
      warnSkipped(log, { chain: chain.name, collection: collection.address }, skipped),
  })

  const coolOffMs = options.metadataCoolOffMs
  const blocks = createBlockStore({ chain, logStore, coolOffMs, metrics })

  /** A collection that cannot join stops neither the chain nor the others; it is retried later. */
  async function joinUnlessFaulty(
    cursor: ChainCursor,
    read: JoinRead<Joinable>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { subject: joinable } = read
    try {
      if ('error' in read) throw read.error
      return await joinOne(cursor, joinable, read.logs)
    } catch (err) {
      if (signal.aborted) return false
      // Unknown whether the transaction made the collection live: the handler must be recreated.
      if (isConnectionError(err)) throw err
      log.warn({ chain: chain.name, collection: joinable.address, err }, 'collection catch-up failed')
      await postponeJoinOf(db, collectionHistory, joinable, shownReason(err), joinPauseSeconds)
      return false
    }
  }

  /** `logs`: all from the end of the collection's history up to the cursor. Those that history has covered since are skipped. */
  async function joinOne(cursor: ChainCursor, joinable: Joinable, logs: RpcLog[]): Promise<boolean> {
    const { toBlock: _, coins, ...key } = joinable
    // History determines the standard of these logs.
    if (joinable.standard === null && logs.some((entry) => mayShowStandard(entry, coins))) return false
    const collection = joinable.standard === null ? undefined : { ...key, standard: joinable.standard }
    if (collection && (catchingUp.has(joinable.address) || surveyLogs(logs, collection).transfers > mostTransfers))
      return joinByPart(cursor, joinable, collection, logs)
    const only = collection ? new Map([[joinable.address, collection]]) : new Map<Address, CollectionKey>()
    const joined = await between(cursor, async (tx) => {
      const covered = await goLive(tx, joinable, { from: joinable.toBlock, to: lastFinal(cursor) })
      if (covered === undefined) return false
      const missing = logs.filter((entry) => BigInt(entry.blockNumber) > covered)
      const final = missing.filter((entry) => BigInt(entry.blockNumber) <= cursor.finalized)
      await blocks.store(tx, final, only, undefined)
      for (const [number, own] of Map.groupBy(missing, (entry) => BigInt(entry.blockNumber)))
        if (number > cursor.finalized) await blocks.store(tx, own, only, number)
      await tx.rows('SELECT pg_notify($1, $2)', [metadataDemandChannel, ''])
      return true
    })
    if (joined && collection) live.set(joinable.address, collection)
    if (joined && joinable.standard === null) undecided.add({ ...key, standard: null, coins })
    if (joined) noteLive(joinable.address, cursor)
    return joined ?? false
  }

  function noteLive(address: Address, cursor: ChainCursor): void {
    catchingUp.delete(address)
    log.info({ chain: chain.name, collection: address, block: String(cursor.number) }, 'collection synced')
  }

  /** Stores the next part of these logs (see `joinOne`). With the last part, the collection is live. */
  async function joinByPart(
    cursor: ChainCursor,
    joinable: Joinable,
    collection: CollectionKey,
    logs: RpcLog[],
  ): Promise<boolean> {
    const part = await between(cursor, async (tx) => {
      const range = { from: joinable.toBlock, to: lastFinal(cursor) }
      // With the first part, as later events of its contract are followed.
      if (!catchingUp.has(collection.address)) await blocks.storeEvents(tx, logs, collection, cursor.finalized)
      const stored = await storeNextPart(tx, {
        ...{ logStore, collection, logs, range, head: cursor.number, most: mostTransfers },
        onStored: (groups, block) => blocks.storeEffects(tx, groups, block),
      })
      if (stored?.isLast) await tx.rows('SELECT pg_notify($1, $2)', [metadataDemandChannel, ''])
      return stored
    })
    if (!part) return false
    metrics.rows.inc({ chain: chain.name, table: 'transfer' }, part.transfers)
    if (part.isLast) {
      live.set(collection.address, collection)
      noteLive(collection.address, cursor)
    } else {
      catchingUp.set(collection.address, collection)
      const remaining = logs.filter((entry) => BigInt(entry.blockNumber) > part.toBlock)
      joins.putBack({ ...joinable, toBlock: part.toBlock }, remaining, cursor.number)
    }
    return true
  }

  const bounds = { most: mostTransfers, pauseSeconds: joinPauseSeconds }
  const undoing = createUndoing({ chain, db, between, catchingUp, log, ...bounds })

  const watched = () => unionOf([live, undecided.collections, joins.watched])
  return {
    get topics() {
      return watched().size + catchingUp.size > 0 ? [...transferTopics, ...metadataTopics] : []
    },
    watched,
    followed: () => ({ collections: live.size + undecided.collections.size, streams: 0 }),

    fitting: (blocks) => planDemotions(blocks, live, mostTransfers).fitting,

    async prepare({ blocks }) {
      demoted = planDemotions(blocks, live, mostTransfers).demoted
    },

    async apply(tx, { header, logs, undoable }) {
      const number = undoable ? header.number : undefined
      for (const [address, from] of demoted)
        if (from === header.number) await demoteCollection(tx, live.get(address)!, header.number - 1n)
      // Not every node includes the block time in logs.
      const timed = logs.map((entry) => ({ ...entry, blockTimestamp: quantity(header.timestamp) }))
      const followed = catchingUp.size === 0 ? live : new Map([...live, ...catchingUp])
      await blocks.store(tx, timed, followedIn(live, demoted, header.number), number, followed)
      await undecided.release(tx, logs, header.number)
    },

    async revert(tx, fork) {
      identities.inconsistency()
      const { ids, started } = await undoing.begin(tx, fork)
      for (const { address } of started) if (live.has(address)) demoted.set(address, fork + 1n)
      await raiseVersions(tx, await revertTransfers(tx, chain.id, fork, ids))
      await revertParts(tx, chain.id, fork)
      await revertUpdates(tx, chain.id, fork, coolOffMs)
      // Last, as only rows of existing collections are undone, and the next blocks are stored in their places. The handler is recreated after this
      // step. Rows that the step still stores for a removed collection are deleted with it.
      if ((await requeueFormed(tx, chain.id, fork)) > 0) await reviseChain(tx, chain.id)
      await markUncertain(tx, chain.id, fork)
    },

    async finalize(tx, number) {
      const demotedCollections = [...demoted.keys()].flatMap((address) => live.get(address) ?? [])
      const inParts = [...catchingUp.values(), ...demotedCollections].map(({ id }) => id)
      await forgetUndo(tx, chain.id, inParts, number)
      await forgetUpdates(tx, chain.id, number)
    },

    async release(tx, number) {
      await releaseCatchingUp(tx, chain.id, number + 1n)
      await releaseLive(tx, chain.id, number)
      unreleased = await undoing.read(tx)
      const kept = [...unreleased.values()].map(({ id }) => id)
      await forgetUndo(tx, chain.id, kept)
      await forgetUpdates(tx, chain.id)
    },

    committed(step) {
      if (step.released) {
        live.clear()
        undecided.clear()
        catchingUp.clear()
        for (const [address, collection] of unreleased) catchingUp.set(address, collection)
        logStore.forget()
      } else
        for (const [address, from] of demoted) {
          catchingUp.set(address, live.get(address)!)
          live.delete(address)
          log.info({ chain: chain.name, collection: address, block: String(from) }, 'collection catching up in parts')
        }
      demoted = new Map()
      for (const { logs } of step.blocks) undecided.forget(logs)
      joins.committed(step)
    },

    async join(cursor, signal) {
      let joined = false
      identities.confirm(cursor.worker, signal)
      // The next block waits for all of this, so only one part is stored per step.
      let capacity = mostTransfers - (await undoing.undoParts(cursor, mostTransfers, signal))
      joined = capacity < mostTransfers
      for (const read of joins.take()) {
        if ('logs' in read) {
          if (capacity <= 0) {
            joins.putBack(read.subject, read.logs, cursor.number)
            continue
          }
          if (isDecided(read.subject)) capacity -= surveyLogs(read.logs, read.subject).transfers
        }
        joined = (await joinUnlessFaulty(cursor, read, signal)) || joined
      }
      await undoing.releaseBehind(cursor)
      const { size } = joins.watched
      const range = { from: cursor.finalized - keptBelowFinalized, to: lastFinal(cursor) }
      const next = size < joinsAtOnce ? await readJoinable(db, chain.id, range, joinsAtOnce + size) : []
      joins.begin(next.slice(0, joinsAtOnce), cursor.number, signal)
      return joined
    },

    async close() {
      await Promise.all([joins.close(), identities.close()])
    },
  }
}
