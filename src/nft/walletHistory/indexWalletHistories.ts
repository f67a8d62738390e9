import type { Database } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { createSlice } from '../../sync/schedule.ts'
import { createLru } from '../../util/createLru.ts'
import type { Log } from '../../util/log.ts'
import type { Waker } from '../../util/wait.ts'
import type { WorkPriority } from '../../util/workPriority.ts'
import { TurnLostError } from '../index/readHistory.ts'
import { recordFailure, runTurns } from '../index/runTurns.ts'
import { createDueChains } from '../store/askedChains.ts'
import { restOf } from '../store/historyQueue.ts'
import type { Moves } from './movesOf.ts'
import { readWallets } from './readWallets.ts'
import { removeWalletRows } from './removeWallets.ts'
import {
  beginWallets,
  countWalletsByStatus,
  type DueWallet,
  endFull,
  takeWalletTurns,
  walletHistory,
} from './walletStore.ts'
import { mostTogether } from './walletTopics.ts'

export type IndexWalletHistoriesOptions = {
  chains: OpenChains
  leases: Leases
  db: Database
  settings: { concurrentCollections: number; sliceMs: number; maxTransfers: number }
  /** Called with moves after their commit. */
  onMoves: (chainId: bigint, moves: Moves) => unknown
  /** Called once a minute. */
  keepHouse: () => Promise<void>
  workPriority: WorkPriority
  metrics: Metrics
  log: Log
  waker: Waker
  /** The history of wallets begins: their chain has to be followed. */
  onBegin: () => void
  /** It is complete: the follower of their chain can take them over. */
  onComplete: () => void
  signal: AbortSignal
}

/** Wallets of which it is remembered with how many others they may be read. */
const mostSizes = 100_000

/** A turn that is over before its wallets are complete and brought more logs is too much for a group of them. */
const manyLogs = 4_000

/** Reads the histories of the wallets that this process serves, several at once, a slice of time each. Ends with the signal. */
export async function indexWalletHistories(options: IndexWalletHistoriesOptions): Promise<void> {
  const { leases, db, settings, metrics, waker, signal, log } = options
  /** With how many others a wallet may be read, where these are not `mostTogether`. */
  const sizes = createLru<bigint, number>(mostSizes)
  const sizeOf = ({ id }: DueWallet) => sizes.get(id) ?? mostTogether

  /** Fewer together: one of them holds up the others, or the node takes no longer list. */
  function split(due: readonly DueWallet[]): void {
    for (const wallet of due) sizes.set(wallet.id, Math.max(1, Math.ceil(Math.min(due.length, sizeOf(wallet)) / 2)))
  }

  /** Wallets that lack the same blocks, in groups that are read together. */
  function groupsOf(due: readonly DueWallet[]): DueWallet[][] {
    const nameOf = (wallet: DueWallet) => `${sizeOf(wallet)} ${wallet.coverage.at(-1)?.to ?? -1n}`
    return [...Map.groupBy(due, nameOf).values()].flatMap((same) => {
      const size = sizeOf(same[0]!)
      return Array.from({ length: Math.ceil(same.length / size) }, (_, i) => same.slice(i * size, (i + 1) * size))
    })
  }

  async function run(due: readonly DueWallet[]): Promise<boolean> {
    const [{ chainId }] = due as [DueWallet]
    const fields = { chain: chainId, wallets: due.length, wallet: `0x${due[0]!.holder}` }
    try {
      const { maxTransfers } = settings
      await beginWallets(db, due)
      options.onBegin()
      const full = await endFull(db, due, maxTransfers)
      const open = due.filter(({ id }) => !full.has(id))
      if (open.length === 0) return true
      const { source, chain } = await options.chains.open(chainId, signal)
      const turn = { isOver: createSlice(settings.sliceMs, signal), signal }
      const { workPriority } = options
      const reading = { chain, source, db, worker: leases.workerId, settings, workPriority, metrics }
      const onMoves = (moves: Moves) => options.onMoves(chainId, moves)
      const { outcome, apart, logs } = await readWallets({ ...reading, onMoves }, open, turn)
      for (const { id } of apart) sizes.set(id, 1)
      if (outcome === 'over' && logs > manyLogs) split(open.filter((wallet) => !apart.includes(wallet)))
      if (outcome !== 'complete') return true
      for (const wallet of open) if (!apart.includes(wallet)) await restOf(db, walletHistory, wallet, 1)
      options.onComplete()
      return true
    } catch (error) {
      if (signal.aborted || error instanceof TurnLostError) return true
      if (due.length > 1) {
        // Of a group nobody knows which wallet it was: they are read again, fewer together.
        split(due)
        log.debug({ ...fields, err: error }, 'wallets read in smaller groups')
        return false
      }
      await recordFailure({ db, log }, walletHistory, due[0]!, { error, fields, event: 'wallet indexing failed' })
      return false
    }
  }

  await runTurns({
    ...{ name: 'index wallets', leases, dueChains: createDueChains(db, walletHistory), waker, log, signal },
    most: settings.concurrentCollections,
    async keepHouse() {
      await options.keepHouse()
      await removeWalletRows(db, leases, signal)
      metrics.wallets.reset()
      for (const [status, count] of Object.entries(await countWalletsByStatus(db)))
        metrics.wallets.set({ status }, count)
    },
    async take({ limit, ...of }) {
      const due = await takeWalletTurns(db, { ...of, limit: limit * mostTogether })
      return groupsOf(due).map((group) => ({ ids: group.map(({ id }) => id), run: () => run(group) }))
    },
  })
}
