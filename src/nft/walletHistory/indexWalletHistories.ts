import type { Database } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import type { OpenChain, OpenChains } from '../../sync/openChains.ts'
import { createSlice } from '../../sync/schedule.ts'
import type { Log } from '../../util/log.ts'
import type { Waker } from '../../util/wait.ts'
import type { WorkPriority } from '../../util/workPriority.ts'
import { SliceLostError } from '../index/history.ts'
import { recordFailure, runSlices } from '../index/runSlices.ts'
import { createDueChains } from '../store/dueChains.ts'
import { postponeSlice } from '../store/historyQueue.ts'
import { createWalletGroups } from './createWalletGroups.ts'
import type { Moves } from './movesOf.ts'
import { readWallets } from './readWallets.ts'
import { removeWalletRows } from './removeWallets.ts'
import { beginWallets, countWalletsByStatus, type DueWallet, endFull, walletHistory } from './walletStore.ts'

export type IndexWalletHistoriesOptions = {
  chains: OpenChains
  leases: Leases
  db: Database
  settings: { concurrentCollections: number; sliceMs: number; maxTransfers: number }
  /** Called with moves after their commit. */
  onMoves: (open: OpenChain, moves: Moves) => unknown
  /** Called once a minute. */
  runMaintenance: () => Promise<void>
  workPriority: WorkPriority
  metrics: Metrics
  log: Log
  waker: Waker
  /** The history of wallets begins: their chain must be followed. */
  onBegin: (chainId: bigint) => void
  /** The history is complete: the chain's follower can take the wallets over. */
  onComplete: (chainId: bigint) => void
  signal: AbortSignal
}

/** A slice that ends incomplete with more logs is too much for a group. */
const manyLogs = 4_000

/**
 * How long wallets wait for others beside two recently started groups of their chain, in milliseconds. Individually requested wallets are then read
 * together, and one beside long histories waits no longer than this.
 */
const gatherMs = 500

/** Reads the histories of wallets that this process serves, several in parallel, one time slice each. Ends with the signal. */
export async function indexWalletHistories(options: IndexWalletHistoriesOptions): Promise<void> {
  const { leases, db, settings, metrics, waker, signal, log } = options
  const groups = createWalletGroups(db)

  async function run(subjects: readonly DueWallet[]): Promise<boolean> {
    const [{ chainId }] = subjects as [DueWallet]
    const fields = { chain: chainId, wallets: subjects.length, wallet: `0x${subjects[0]!.holder}` }
    try {
      const { maxTransfers } = settings
      await beginWallets(db, subjects)
      options.onBegin(chainId)
      const full = await endFull(db, subjects, maxTransfers)
      const open = subjects.filter(({ id }) => !full.has(id))
      if (open.length === 0) return true
      const opened = await options.chains.open(chainId, signal)
      const { source, chain } = opened
      const slice = { isOver: createSlice(settings.sliceMs, signal), signal }
      const { workPriority } = options
      const reading = { chain, source, db, worker: leases.workerId, settings, workPriority, metrics }
      const onMoves = (moves: Moves) => options.onMoves(opened, moves)
      const { outcome, apart, logs } = await readWallets({ ...reading, onMoves }, open, slice)
      groups.setApart(apart)
      if (outcome === 'over' && logs > manyLogs) groups.split(open.filter((wallet) => !apart.includes(wallet)))
      if (outcome !== 'complete') return true
      const complete = open.filter((wallet) => !apart.includes(wallet))
      await Promise.all(complete.map((wallet) => postponeSlice(db, walletHistory, wallet, 1)))
      options.onComplete(chainId)
      return true
    } catch (error) {
      if (signal.aborted || error instanceof SliceLostError) return true
      if (subjects.length > 1) {
        // The failing wallet of a group is unknown: they are retried in smaller groups.
        groups.split(subjects)
        log.debug({ ...fields, err: error }, 'wallets read in smaller groups')
        return false
      }
      await recordFailure({ db, log }, walletHistory, subjects[0]!, { error, fields, event: 'wallet indexing failed' })
      return false
    }
  }

  /** Running groups. `isYoung`: started less than `gatherMs` ago. */
  const underWay = new Set<{ chain: bigint; isYoung: boolean }>()
  const youngOf = (chain: bigint) => [...underWay].filter((group) => group.isYoung && group.chain === chain).length

  /** Runs a group. While it is young, few other growing groups start beside it. */
  async function runYoung(subjects: readonly DueWallet[], chain: bigint): Promise<boolean> {
    const group = { chain, isYoung: true }
    underWay.add(group)
    const timer = setTimeout(() => {
      group.isYoung = false
      waker.wake(chain)
    }, gatherMs)
    try {
      return await run(subjects)
    } finally {
      clearTimeout(timer)
      underWay.delete(group)
    }
  }

  await runSlices({
    ...{ name: 'index wallets', leases, dueChains: createDueChains(db, walletHistory), waker, log, signal },
    most: settings.concurrentCollections,
    async runMaintenance() {
      await options.runMaintenance()
      await removeWalletRows(db, leases, signal)
      metrics.wallets.reset()
      for (const [status, count] of Object.entries(await countWalletsByStatus(db)))
        metrics.wallets.set({ status }, count)
    },
    async take(of) {
      const taken = await groups.take({ ...of, fullOnly: youngOf(of.chain) > 1 })
      return taken.map((group) => ({ ids: group.map(({ id }) => id), run: () => runYoung(group, of.chain) }))
    },
  })
}
