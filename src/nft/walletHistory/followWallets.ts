import type { EvmChain } from '../../chain/evm/chains.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { Database } from '../../db/database.ts'
import { isConnectionError } from '../../db/databaseError.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { type BlockHandler, type ChainCursor, lastFinal, unionOf } from '../../sync/blockHandler.ts'
import { keptBelowFinalized } from '../../sync/chainStore.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import type { Log } from '../../util/log.ts'
import { createJoins, type JoinRead } from '../index/createJoins.ts'
import { betweenBlocks } from '../index/createUndoing.ts'
import { postponeJoinOf } from '../store/historyQueue.ts'
import { transferTopics } from '../transfers/decodeTransfers.ts'
import { type Holder, partiesOf } from '../transfers/indexedLogs.ts'
import { createJoinReader } from './createJoinReader.ts'
import { countMoves, type Moves, movesOf, type WalletKey } from './movesOf.ts'
import { forgetMoveBlocks, revertMoves, storeMoves } from './storeMoves.ts'
import {
  endFull,
  type JoinableWallet,
  joinWallets,
  leaveHead,
  readJoinableWallets,
  readLiveWallets,
  releaseWallets,
  walletHistory,
} from './walletStore.ts'
import { mostTogether, topicOf } from './walletTopics.ts'

export type FollowWalletsOptions = {
  chain: EvmChain
  source: EvmSource
  db: Database
  maxTransfers: number
  /** Called with moves after their commit. */
  onMoves: (moves: Moves) => void
  metrics: Metrics
  log: Log
  /** Called when wallets can join: the follower has something to do between two blocks. */
  onRead?: () => void
}

/** Most wallets of a chain for which the blooms of blocks are checked, as a node may omit logs. */
const mostChecked = 500

/** Wallets that are read at once on their way to the head. */
const joinsAtOnce = 128

/** Pause of a wallet that could not join. */
const joinPauseSeconds = 5

/** Most transfers that a block stores of wallets: those with most of them leave the head, and continue once the block is final. */
const mostOfBlock = 4_000

/** Most transfers of wallets that join in one transaction, for which the next block waits. */
const mostOfJoin = 20_000

const waitsForFinal = `more than ${mostOfJoin} transfers are not final yet; indexing goes on once they are`

/** The handler of `createFollower` that applies a chain's blocks to its wallets. The logs that it needs, collections need too. */
export async function followWallets(options: FollowWalletsOptions): Promise<BlockHandler> {
  const { chain, source, db, maxTransfers, onMoves, metrics, log } = options
  const live = await readLiveWallets(db, chain.id)
  const between = betweenBlocks(db, chain.id)
  const joins = createJoins<Holder, JoinableWallet>({
    keyOf: ({ holder }) => holder,
    keysIn: partiesOf,
    read: createJoinReader({ source, db, chainId: chain.id }),
    onRead: options.onRead ?? (() => undefined),
  })
  /** What the step in progress stored, and the wallets that are followed no more by it. */
  let step: { moves: Moves[]; left: Set<bigint> } = { moves: [], left: new Set() }

  /** Joins wallets that were read, all in one transaction: the next block waits for it. */
  async function joinAll(cursor: ChainCursor, reads: readonly { due: JoinableWallet; logs: RpcLog[] }[]) {
    const found = await between(cursor, async (tx) => {
      const range = { from: cursor.finalized - keptBelowFinalized, to: lastFinal(cursor) }
      const covered = await joinWallets(
        tx,
        reads.map(({ due }) => due),
        range,
      )
      const joined = reads.filter(({ due }) => covered.has(due.id))
      const stored: Moves[] = []
      for (const { due, logs } of joined) {
        const only = new Map<Holder, WalletKey>([[due.holder, due]])
        const missing = logs.filter(({ blockNumber }) => BigInt(blockNumber) > covered.get(due.id)!)
        const isFinal = ({ blockNumber }: RpcLog) => BigInt(blockNumber) <= cursor.finalized
        stored.push(movesOf(missing.filter(isFinal), only))
        await storeMoves(tx, stored.at(-1)!)
        const above = missing.filter((entry) => !isFinal(entry))
        for (const [number, own] of Map.groupBy(above, ({ blockNumber }) => BigInt(blockNumber))) {
          stored.push(movesOf(own, only))
          await storeMoves(tx, stored.at(-1)!, { chainId: chain.id, number })
        }
      }
      const keys = joined.map(({ due }) => due)
      return { keys, stored, full: await endFull(tx, keys, maxTransfers) }
    })
    if (!found) return false
    for (const { holder, partition, id } of found.keys) if (!found.full.has(id)) live.set(holder, { partition, id })
    for (const moves of found.stored) onMoves(moves)
    if (found.keys.length > 0)
      log.info({ chain: chain.name, wallets: found.keys.length, block: String(cursor.number) }, 'wallets synced')
    return found.keys.length > 0
  }

  /** Wallets that cannot join stop neither the chain nor the others: they are tried again a little later. */
  async function postpone(wallets: readonly JoinableWallet[], err: unknown): Promise<void> {
    log.warn({ chain: chain.name, wallets: wallets.length, err }, 'wallet catch-up failed')
    for (const wallet of wallets) await postponeJoinOf(db, walletHistory, wallet, shownReason(err), joinPauseSeconds)
  }

  async function joinUnlessFaulty(
    cursor: ChainCursor,
    reads: readonly JoinRead<JoinableWallet>[],
    signal: AbortSignal,
  ): Promise<boolean> {
    for (const one of reads) if ('error' in one && !signal.aborted) await postpone([one.due], one.error)
    const { fitting: read, tooMany, later } = partsOf(reads)
    for (const { due, logs } of later) joins.putBack(due, logs, cursor.number)
    for (const wallet of tooMany) await postponeJoinOf(db, walletHistory, wallet, waitsForFinal, joinPauseSeconds)
    if (read.length === 0) return false
    try {
      return await joinAll(cursor, read)
    } catch (err) {
      if (signal.aborted) return false
      // Nobody knows whether the transaction made the wallets live: the handler has to be recreated.
      if (isConnectionError(err)) throw err
      await postpone(
        read.map(({ due }) => due),
        err,
      )
      return false
    }
  }

  return {
    topics: transferTopics,
    watched: () => unionOf([]),
    // With more wallets nearly every block has some in its bloom by chance, and all its receipts would be read.
    parties: () =>
      live.size + joins.watched.size > mostChecked ? [] : [...live.keys(), ...joins.watched.keys()].map(topicOf),
    // Wallets are read together, so many cost history no more than a few collections do.
    followed: () => ({ collections: Math.ceil(live.size / mostTogether), streams: 0 }),

    async prepare() {
      step = { moves: [], left: new Set() }
    },

    fitting: (blocks) => fittingBlocks(blocks.map(({ logs }) => sumOf(countMoves(logs, live)))),

    async apply(tx, { header, logs, undoable }) {
      if (live.size === 0) return
      const counts = [...countMoves(logs, live)].filter(([{ id }]) => !step.left.has(id))
      const leaving = crowded(counts)
      if (leaving.length > 0) await leaveHead(tx, leaving, { chainId: chain.id, number: header.number })
      for (const { id } of leaving) step.left.add(id)
      const found = movesOf(logs, { get: (holder) => without(step.left, live.get(holder)) })
      if (found.moves.length === 0 && found.wide.length === 0) return
      // Not every node shows the time of the block in its logs.
      const blockTime = Number(header.timestamp)
      const moves = found.moves.map((move) => ({ ...move, transfer: { ...move.transfer, blockTime } }))
      const number = undoable ? { chainId: chain.id, number: header.number } : undefined
      const rows = await storeMoves(tx, { ...found, moves }, number)
      metrics.rows.inc({ chain: chain.name, table: 'wallet_move' }, rows)
      step.moves.push(found)
      const touched = new Map(found.moves.map(({ wallet }) => [wallet.id, wallet]))
      for (const id of await endFull(tx, [...touched.values()], maxTransfers)) step.left.add(id)
    },

    revert: (tx, fork) => revertMoves(tx, chain.id, fork),
    finalize: (tx, number) => forgetMoveBlocks(tx, chain.id, number),

    async release(tx, number) {
      await releaseWallets(tx, chain.id, number)
      await forgetMoveBlocks(tx, chain.id)
    },

    committed(done) {
      if (done.released) live.clear()
      if (step.left.size > 0) for (const [holder, { id }] of live) if (step.left.has(id)) live.delete(holder)
      for (const moves of step.moves) onMoves(moves)
      step = { moves: [], left: new Set() }
      joins.committed(done)
    },

    async join(cursor, signal) {
      const joined = await joinUnlessFaulty(cursor, joins.take(), signal)
      const { size } = joins.watched
      const range = { from: cursor.finalized - keptBelowFinalized, to: lastFinal(cursor) }
      const due = size < joinsAtOnce ? await readJoinableWallets(db, chain.id, range, joinsAtOnce + size) : []
      joins.begin(due.slice(0, joinsAtOnce), cursor.number, signal)
      return joined
    },

    close: () => joins.close(),
  }
}

const sumOf = (counts: ReadonlyMap<unknown, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)

/** How many of blocks with so many transfers of wallets are few enough work for one transaction. */
function fittingBlocks(counts: readonly number[]): number {
  let sum = 0
  for (const [i, count] of counts.entries()) {
    sum += count
    if (sum > mostOfBlock && i > 0) return i
  }
  return counts.length
}

/** The wallets with most transfers of a block, without which the block has few enough. */
function crowded(counts: readonly (readonly [WalletKey, number])[]): WalletKey[] {
  let rest = counts.reduce((sum, [, count]) => sum + count, 0)
  const leaving: WalletKey[] = []
  for (const [wallet, count] of counts.toSorted(([, a], [, b]) => b - a)) {
    if (rest <= mostOfBlock) break
    rest -= count
    leaving.push(wallet)
  }
  return leaving
}

const without = (left: ReadonlySet<bigint>, wallet: WalletKey | undefined) =>
  wallet && left.has(wallet.id) ? undefined : wallet

type ReadJoin = { due: JoinableWallet; logs: RpcLog[] }

/** What was read, as far as one transaction stores it. `later`: what the next one does; `tooMany`: wallets of which none does. */
function partsOf(reads: readonly JoinRead<JoinableWallet>[]) {
  const parts = { fitting: [] as ReadJoin[], later: [] as ReadJoin[], tooMany: [] as JoinableWallet[] }
  let sum = 0
  for (const one of reads) {
    if (!('logs' in one)) continue
    const count = sumOf(countMoves(one.logs, new Map([[one.due.holder, one.due]])))
    if (count > mostOfJoin) parts.tooMany.push(one.due)
    else if (sum + count > mostOfJoin) parts.later.push(one)
    else {
      sum += count
      parts.fitting.push(one)
    }
  }
  return parts
}
