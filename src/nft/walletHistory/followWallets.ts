import type { EvmChain } from '../../chain/evm/chains.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { isConnectionError } from '../../db/databaseError.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { type BlockHandler, type ChainCursor, lastFinal, unionOf } from '../../sync/blockHandler.ts'
import { keptBelowFinalized } from '../../sync/chainStore.ts'
import { smaller } from '../../util/extremes.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import type { Hex } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { createJoins, type JoinRead } from '../index/createJoins.ts'
import { betweenBlocks } from '../index/createUndoing.ts'
import { postponeJoinOf } from '../store/historyQueue.ts'
import { transferTopics } from '../transfers/decodeTransfers.ts'
import { type Holder, partiesOf } from '../transfers/indexedLogs.ts'
import { createJoinReader } from './createJoinReader.ts'
import { forgetMetadata, remadeIn } from './forgetKnown.ts'
import { type JoiningWallet, nextPart, planJoins, type ReadWallet } from './joinParts.ts'
import { LiveWallets } from './liveWallets.ts'
import { countMoves, type Moves, movesOf, type WalletKey } from './movesOf.ts'
import { storeMoves } from './storeMoves.ts'
import { countMovesIn, forgetMoveBlocks, movesUndoneTo, revertMoves, takeBackPart } from './undoMoves.ts'
import {
  demoteWallets,
  endFullAtHead,
  type JoinableWallet,
  joinWallets,
  lockJoinable,
  readJoinableWallets,
  readLiveWallets,
  releaseWallets,
  resumeFull,
  walletHistory,
} from './walletStore.ts'
import { mostTogether, topicOf } from './walletTopics.ts'

export type FollowWalletsOptions = {
  chain: EvmChain
  source: EvmSource
  db: Database
  maxTransfers: number
  /** Most transfers per transaction; default: `mostPartTransfers`. */
  mostTransfers?: number
  /** Called with moves after their commit. */
  onMoves: (moves: Moves) => void
  metrics: Metrics
  log: Log
  /** Called when wallets can join: the follower must act between two blocks. */
  onRead?: () => void
}

/** Most wallets of a chain for which bloom filters are checked, as a node may omit logs. */
const mostChecked = 500

/** Wallets read in parallel while catching up. */
const joinsAtOnce = 128

/** Delay before the next attempt of a wallet that could not join. */
const joinPauseSeconds = 5

/**
 * Most transfers of wallets per transaction, as everything else of the chain waits for it. If a block has more, the wallets with most of them leave
 * the head and join it again in such parts, between two blocks.
 */
const mostPartTransfers = 4_000

/** Block handler of `createFollower` for the chain's wallets. It needs the same logs as collections. */
export async function followWallets(options: FollowWalletsOptions): Promise<BlockHandler> {
  const { chain, source, db, maxTransfers, mostTransfers = mostPartTransfers, onMoves, metrics, log } = options
  const live = new LiveWallets()
  for (const { holder, partition, id } of await readLiveWallets(db, chain.id)) live.set(holder, { partition, id })
  const between = betweenBlocks(db, chain.id)
  const joins = createJoins<Holder, JoiningWallet>({
    keyOf: ({ holder }) => holder,
    keysIn: partiesOf,
    read: createJoinReader({ source, db, chainId: chain.id }),
    onRead: options.onRead ?? (() => undefined),
  })
  /** Moves stored by the current step, and wallets that it stops following. */
  let step: { moves: Moves[]; removed: Set<bigint> } = { moves: [], removed: new Set() }
  /** For the current blocks, by hash: logs that move tokens of live wallets. */
  let ownLogs = new Map<Hex, RpcLog[]>()

  /** Joins wallets in a single transaction, for which the next block waits. */
  async function joinAll(cursor: ChainCursor, reads: readonly ReadWallet[]): Promise<boolean> {
    const found = await between(cursor, async (tx) => {
      const subjects = reads.map(({ subject }) => subject)
      const covered = await joinWallets(tx, subjects, historyEnd(cursor))
      const keys = subjects.filter(({ id }) => covered.has(id))
      const parts = reads.flatMap((read) => {
        const above = covered.get(read.subject.id)
        return above === undefined ? [] : nextPart(read, above, Number.POSITIVE_INFINITY).moves
      })
      const moves = {
        moves: parts.flatMap((part) => part.moves),
        oversized: parts.flatMap(({ oversized }) => oversized),
      }
      return { keys, moves, full: await storeFollowed(tx, cursor.finalized, moves) }
    })
    if (!found || found.keys.length === 0) return false
    for (const { holder, partition, id } of found.keys) if (!found.full.has(id)) live.set(holder, { partition, id })
    onMoves(found.moves)
    log.info({ chain: chain.name, wallets: found.keys.length, block: String(cursor.number) }, 'wallets synced')
    return true
  }

  /**
   * Stores the next `most` transfers of a wallet that has more. Its coverage does not change, so if the remaining parts in memory are lost, they are
   * read again.
   */
  async function joinByPart(cursor: ChainCursor, read: ReadWallet, most: number): Promise<boolean> {
    const found = await between(cursor, async (tx) => {
      const above = await lockJoinable(tx, read.subject, historyEnd(cursor))
      if (above === undefined) return undefined
      const part = nextPart(read, above, most)
      return { ...part, full: await storeFollowed(tx, cursor.finalized, part.moves) }
    })
    if (!found) return false
    onMoves(found.moves)
    const { subject, logs } = found.remaining
    if (found.full.size === 0) joins.putBack(subject, logs, cursor.number)
    return true
  }

  /** Stores moves of live wallets. Returns the ids of wallets that now have too many transfers. `undoable`: blocks after this one can be undone. */
  async function storeFollowed(tx: Transaction, undoable: bigint | undefined, moves: Moves): Promise<Set<bigint>> {
    const undo = undoable === undefined ? undefined : { chainId: chain.id, above: undoable }
    const { rows, wallets } = await storeMoves(tx, moves, undo)
    await forgetMetadata(tx, chain.id, remadeIn(moves.moves))
    metrics.rows.inc({ chain: chain.name, table: 'wallet_move' }, rows)
    return endFullAtHead(tx, wallets, maxTransfers)
  }

  /**
   * Undoes moves of the cursor's block, which has more than one transaction undoes: the wallets with most of them leave the head, and are undone in
   * parts.
   */
  async function undoParts(cursor: ChainCursor): Promise<void> {
    const { number, finalized } = cursor
    // The block may be kept in the end: its undone moves are then read again.
    joins.committed({ fork: number - 1n, blocks: [], finalized, released: false })
    const demoted = crowded(await countMovesIn(db, chain.id, number), mostTransfers)
    const removed = await between(cursor, async (tx) => {
      await demoteWallets(tx, demoted, { chainId: chain.id, number })
      return new Set(demoted.map(({ id }) => id))
    })
    if (!removed) return
    for (const [holder, { id }] of live) if (removed.has(id)) live.delete(holder)
    const part = { chainId: chain.id, block: number - 1n, most: mostTransfers }
    for (const wallet of demoted)
      while ((await between(cursor, (tx) => takeBackPart(tx, wallet, part))) === mostTransfers);
  }

  /** Wallets that cannot join stop neither the chain nor the others; they are retried later. */
  async function postpone(wallets: readonly JoinableWallet[], err: unknown): Promise<void> {
    log.warn({ chain: chain.name, wallets: wallets.length, err }, 'wallet catch-up failed')
    for (const wallet of wallets) await postponeJoinOf(db, walletHistory, wallet, shownReason(err), joinPauseSeconds)
  }

  async function joinUnlessFaulty(
    cursor: ChainCursor,
    reads: readonly JoinRead<JoiningWallet>[],
    signal: AbortSignal,
  ): Promise<boolean> {
    for (const one of reads) if ('error' in one && !signal.aborted) await postpone([one.subject], one.error)
    const { fitting, large, capacity, later } = planJoins(reads, mostTransfers)
    for (const { subject, logs } of later) joins.putBack(subject, logs, cursor.number)
    let joined = false
    for (const [wallets, work] of [
      [fitting, () => joinAll(cursor, fitting)],
      [large ? [large] : [], () => joinByPart(cursor, large!, capacity)],
    ] as const) {
      if (wallets.length === 0) continue
      try {
        joined = (await work()) || joined
      } catch (err) {
        if (signal.aborted) return joined
        // Unknown whether the transaction made the wallets live: the handler must be recreated.
        if (isConnectionError(err)) throw err
        await postpone(
          wallets.map(({ subject }) => subject),
          err,
        )
      }
    }
    return joined
  }

  return {
    get topics() {
      return live.size + joins.watched.size > 0 ? transferTopics : []
    },
    watched: () => unionOf([]),
    // With more wallets, the bloom filter of nearly every block matches some by chance, and all its receipts would be read.
    parties: () =>
      live.size + joins.watched.size > mostChecked ? [] : [...live.keys(), ...joins.watched.keys()].map(topicOf),
    // Wallets are read together, so for history many of them cost no more than a few collections.
    followed: () => ({ collections: Math.ceil(live.size / mostTogether), streams: 0 }),

    async prepare() {
      step = { moves: [], removed: new Set() }
    },

    fitting(blocks) {
      ownLogs = new Map(blocks.map(({ header, logs }) => [header.hash, live.logsOf(logs)]))
      const counts = [...ownLogs.values()].map((logs) => sumOf(countMoves(logs, live)))
      return fittingBlocks(counts, mostTransfers)
    },

    async apply(tx, block) {
      const { header, undoable } = block
      const logs = ownLogs.get(header.hash) ?? live.logsOf(block.logs)
      if (logs.length === 0) return
      const counts = [...countMoves(logs, live)].filter(([{ id }]) => !step.removed.has(id))
      const demoted = crowded(counts, mostTransfers)
      if (demoted.length > 0) await demoteWallets(tx, demoted, { chainId: chain.id, number: header.number })
      for (const { id } of demoted) step.removed.add(id)
      const found = movesOf(logs, { get: (holder) => without(step.removed, live.get(holder)) })
      if (found.moves.length === 0 && found.oversized.length === 0) return
      // Not every node includes the block time in logs.
      const blockTime = Number(header.timestamp)
      const moves = found.moves.map((move) => ({ ...move, transfer: { ...move.transfer, blockTime } }))
      const above = undoable ? header.number - 1n : undefined
      for (const id of await storeFollowed(tx, above, { ...found, moves })) step.removed.add(id)
      step.moves.push(found)
    },

    async undoTo(fork, cursor) {
      const { number } = cursor
      const to = await movesUndoneTo(db, chain.id, { fork, cursor: number, most: mostTransfers })
      if (to === number) await undoParts(cursor)
      return smaller(to, number - 1n)
    },

    async revert(tx, fork) {
      await resumeFull(tx, chain.id, fork)
      await revertMoves(tx, chain.id, fork)
    },

    finalize: (tx, number) => forgetMoveBlocks(tx, chain.id, number),

    async release(tx, number) {
      // Nobody undoes their blocks after this.
      await resumeFull(tx, chain.id, number)
      await releaseWallets(tx, chain.id, number)
      await forgetMoveBlocks(tx, chain.id)
    },

    committed(done) {
      if (done.released) live.clear()
      if (step.removed.size > 0) for (const [holder, { id }] of live) if (step.removed.has(id)) live.delete(holder)
      for (const moves of step.moves) onMoves(moves)
      step = { moves: [], removed: new Set() }
      joins.committed(done)
    },

    async join(cursor, signal) {
      const joined = await joinUnlessFaulty(cursor, joins.take(), signal)
      const { size } = joins.watched
      const range = historyEnd(cursor)
      const next = size < joinsAtOnce ? await readJoinableWallets(db, chain.id, range, joinsAtOnce + size) : []
      joins.begin(next.slice(0, joinsAtOnce), cursor.number, signal)
      return joined
    },

    close: () => joins.close(),
  }
}

/** Where the history of a joinable wallet ends. */
const historyEnd = (cursor: ChainCursor) => ({ from: cursor.finalized - keptBelowFinalized, to: lastFinal(cursor) })

const sumOf = (counts: ReadonlyMap<unknown, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)

/** Number of blocks, with these transfer counts, that fit into one transaction. */
function fittingBlocks(counts: readonly number[], most: number): number {
  let sum = 0
  for (const [i, count] of counts.entries()) {
    sum += count
    if (sum > most && i > 0) return i
  }
  return counts.length
}

/** The wallets with most transfers of a block, without which it fits. */
function crowded(counts: readonly (readonly [WalletKey, number])[], most: number): WalletKey[] {
  let remaining = counts.reduce((sum, [, count]) => sum + count, 0)
  const demoted: WalletKey[] = []
  for (const [wallet, count] of counts.toSorted(([, a], [, b]) => b - a)) {
    if (remaining <= most) break
    remaining -= count
    demoted.push(wallet)
  }
  return demoted
}

const without = (removed: ReadonlySet<bigint>, wallet: WalletKey | undefined) =>
  wallet && removed.has(wallet.id) ? undefined : wallet
