import type { EvmChain } from '../../chain/evm/chains.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { Database } from '../../db/database.ts'
import { isLockTimeout } from '../../db/databaseError.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { backfill } from '../../sync/backfill.ts'
import { type BlockRange, gapsOf } from '../../sync/blockRange.ts'
import { readChain } from '../../sync/chainStore.ts'
import { smaller } from '../../util/extremes.ts'
import type { WorkPriority } from '../../util/workPriority.ts'
import { SliceLostError } from '../index/history.ts'
import { nextWidth, wantedLogs, widestRead } from '../index/nextWidth.ts'
import { createWalletLogs, type WalletLogs } from './createWalletLogs.ts'
import { forgetMetadata, remadeIn } from './forgetKnown.ts'
import { countMoves, type Moves, movesOf } from './movesOf.ts'
import { storeMoves } from './storeMoves.ts'
import { movesBefore, takeBackAfter } from './undoMoves.ts'
import { coverWallets, type DueWallet, endAfter, endFull } from './walletStore.ts'

export type ReadWalletsOptions = {
  chain: EvmChain
  source: EvmSource
  db: Database
  /** Id of this worker; undefined if it holds no leases. */
  worker: () => number | undefined
  settings: { maxTransfers: number }
  /** Called with the contracts of moves after their commit. */
  onMoves: (moves: Moves) => unknown
  workPriority: Pick<WorkPriority, 'schedule' | 'size'>
  metrics: Metrics
}

/** A wallet with more moves in one read is read individually, so that its group does not wait for it. */
const crowdedMoves = 2_000

/** Result of a time slice. `apart`: wallets to read individually. `logs`: number of read logs. */
export type WalletsOutcome = { outcome: 'complete' | 'over'; apart: DueWallet[]; logs: number }

/**
 * Reads the missing history of wallets up to the finalized block, in chain order. All of them lack the same blocks, so that one request returns the
 * logs of all.
 */
export async function readWallets(
  options: ReadWalletsOptions,
  subjects: readonly DueWallet[],
  slice: { isOver: () => boolean; signal: AbortSignal },
): Promise<WalletsOutcome> {
  const { chain, source, db, settings, workPriority, metrics } = options
  const { finalized: finalAtNodes } = await source.head(slice.signal)
  // While the chain is followed, history ends at the cursor, so that both are of one fork, and the wallets can join.
  const row = await readChain(db, chain.id)
  const whole = { from: 0n, to: row?.block ? smaller(finalAtNodes, row.finalized) : finalAtNodes }
  const active = new Map(subjects.map((wallet) => [wallet.holder, wallet]))
  const apart: DueWallet[] = []
  let reader = createWalletLogs(source, [...active.keys()])
  let width = widestRead
  let logs = 0
  /** Transfers stored in this slice for an individually read wallet. */
  let storedAlone = 0

  function drop(wallets: readonly DueWallet[]): void {
    for (const { holder } of wallets) active.delete(holder)
  }

  async function read(range: BlockRange, signal: AbortSignal): Promise<{ batch: WalletLogs; to: bigint }> {
    const batch = await reader.read(range, signal)
    const brought = batch.logs.length
    logs += brought
    metrics.logs.inc({ chain: chain.name, phase: 'history' }, brought)
    width = nextWidth(width, range, batch.to, { brought, wanted: wantedLogs(workPriority) })
    return { batch, to: batch.to }
  }

  /** The last block up to which a wallet may have the transfers of logs from block `from`; undefined: all of them. */
  async function endOf(logs: readonly RpcLog[], from: bigint, wallet: DueWallet): Promise<bigint | undefined> {
    const { maxTransfers } = settings
    const end = lastFitting(logs, wallet, maxTransfers - wallet.transfers - storedAlone)
    if (end === undefined) return undefined
    // A wallet that left the head may already have some of these.
    return lastFitting(logs, wallet, maxTransfers - (await movesBefore(db, wallet, from)))
  }

  async function commit(read: BlockRange, batch: WalletLogs, begin: () => Promise<void>): Promise<void> {
    const counts = countMoves(batch.logs, active)
    const crowded =
      active.size > 1 ? [...counts].flatMap(([wallet, count]) => (count > crowdedMoves ? [wallet] : [])) : []
    for (const wallet of crowded) apart.push(wallet)
    drop(crowded)
    const alone = active.size === 1 ? [...active.values()][0]! : undefined
    const end = alone && (await endOf(batch.logs, read.from, alone))
    const range = end === undefined ? read : { from: read.from, to: end }
    const worker = options.worker()
    if (worker === undefined) throw new SliceLostError('this process holds no leases')
    await begin()
    const stored = await db
      .transaction(async (tx) => {
        const isEmpty = range.to < range.from
        const covered = isEmpty ? new Set<bigint>() : await coverWallets(tx, [...active.values()], range, worker)
        const own = new Map([...active].filter(([, { id }]) => covered.has(id)))
        const moves = movesOf(end === undefined ? batch.logs : upTo(batch.logs, end), own)
        const { rows } = await storeMoves(tx, moves)
        const followed = new Set([...own.values()].flatMap(({ id, wasLive }) => (wasLive ? [id] : [])))
        const missed = moves.moves.filter(({ wallet }) => followed.has(wallet.id))
        await forgetMetadata(tx, chain.id, remadeIn(missed))
        if (end !== undefined && (isEmpty || covered.size > 0))
          await endAfter(tx, alone!, { block: range.to, maxTransfers: settings.maxTransfers, worker })
        const full = await endFull(tx, [...own.values()], settings.maxTransfers)
        for (const wallet of own.values()) if (full.has(wallet.id)) await takeBackAfter(tx, wallet, range.to)
        return { own, moves, rows, full }
      })
      .catch((error: unknown) => {
        throw isLockTimeout(error) ? new SliceLostError('the wallets are worked on elsewhere') : error
      })
    const { own, moves, rows, full } = stored
    if (alone) storedAlone += rows
    drop([...active.values()].filter(({ holder, id }) => end !== undefined || !own.has(holder) || full.has(id)))
    metrics.rows.inc({ chain: chain.name, table: 'wallet_move' }, rows)
    await options.onMoves(moves)
    // Prefetched ranges are read again: few, as there were many logs.
    if (crowded.length > 0) reader = createWalletLogs(source, [...active.keys()])
  }

  await backfill({
    gaps: gapsOf(whole, subjects[0]!.coverage),
    inFlight: 1,
    width: () => width,
    read,
    commit,
    schedule: (work, signal) => workPriority.schedule('history', signal, work, subjects[0]!.id),
    isOver: () => active.size === 0 || slice.isOver(),
    signal: slice.signal,
  })
  return { outcome: slice.isOver() && active.size > 0 ? 'over' : 'complete', apart, logs }
}

const upTo = (logs: readonly RpcLog[], end: bigint) => logs.filter(({ blockNumber }) => BigInt(blockNumber) <= end)

/** The last block up to which logs, in chain order, have at most `capacity` transfers of a wallet; undefined: all fit. */
function lastFitting(logs: readonly RpcLog[], wallet: DueWallet, capacity: number): bigint | undefined {
  let sum = 0
  for (const log of logs) {
    sum += countMoves([log], new Map([[wallet.holder, wallet]])).get(wallet) ?? 0
    if (sum > capacity) return BigInt(log.blockNumber) - 1n
  }
  return undefined
}
