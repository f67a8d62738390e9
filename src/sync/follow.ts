import type { EvmChain } from '../chain/evm/chains.ts'
import type { Header } from '../chain/evm/rpc/rpc.ts'
import type { EvmSource, Head } from '../chain/evm/source/source.ts'
import { isUnreadable } from '../chain/evm/source/sourceError.ts'
import type { Database, Transaction } from '../db/database.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { MintmarkError } from '../util/errors.ts'
import { larger, smaller } from '../util/extremes.ts'
import type { Log } from '../util/log.ts'
import { type BlockHandler, type BlockName, type FollowedBlock, ReadAgainError } from './blockHandler.ts'
import { isHistoryCheaper } from './catchUpCost.ts'
import * as store from './chainStore.ts'
import { findNext } from './findNext.ts'
import { createHeadWatch } from './headWatch.ts'
import { isFinalUnder } from './isFinalUnder.ts'
import { isLate } from './isLate.ts'
import { isHeldBy } from './leases/lease.ts'
import { readBlocks, type WantedLogs } from './readBlocks.ts'
import { createStepWidth } from './stepWidth.ts'

/** Another process follows the chain or moved its cursor, so this step was not written. */
export class CursorLostError extends MintmarkError {
  readonly code = 'CURSOR_LOST'
  override readonly retryable = true
}

export type FollowerOptions = {
  chain: EvmChain
  source: EvmSource
  handler: BlockHandler
  db: Database
  /** Id of this worker; undefined without the chain's lease. */
  worker: () => number | undefined
  /** `revision` of the chain's row when the handler loaded its collections and streams; omitted: not compared. */
  revision?: bigint | undefined
  /** Called while the node returns no block that can be compared with stored ones: it may have another chain. */
  onInconsistency?: () => void
  /** Writing blocks took longer than the limit (isLate.ts). */
  onLate?: (() => void) | undefined
  metrics: Metrics
  log: Log
  /** Most blocks per transaction while catching up; default: 64. */
  blocksPerStep?: number
}

export type Follower = {
  /**
   * Takes one step: reads new blocks, undoes blocks that a reorg removed, applies the new ones and moves the cursor. `idle`: there was no new block.
   * `revised`: the handler must load its collections and streams again. `joinsFirst`: collections and streams that can join at the stored block do so
   * before a head is requested.
   */
  step(signal: AbortSignal, joinsFirst?: boolean): Promise<'moved' | 'idle' | 'revised'>
}

/** Content of one transaction: undoes the blocks above `fork`, down from the cursor, and applies these. */
type Change = {
  cursor: BlockName
  fork: BlockName
  blocks: readonly FollowedBlock[]
  head: Header
  finalized: bigint
  /** More blocks of the reorg are undone afterwards. */
  isPart?: boolean
}

/** Follows one chain block by block, by hash. Only the holder of the chain's lease may step. */
export function createFollower(options: FollowerOptions): Follower {
  const { chain, source, handler, db, onLate, metrics, log } = options
  /** Each step waits for a node several times, so steps are as large as possible. */
  const width = createStepWidth(options.blocksPerStep ?? 64)
  const label = { chain: chain.name }
  const heads = createHeadWatch(options)

  const isRevised = (row: store.ChainRow | undefined) =>
    row !== undefined && options.revision !== undefined && row.revision !== options.revision

  async function step(signal: AbortSignal, joinsFirst = false): Promise<'moved' | 'idle' | 'revised'> {
    const row = await store.readChain(db, chain.id)
    if (isRevised(row)) return 'revised'
    if (joinsFirst && row?.block && (await join(row.block, row.finalized, signal))) return 'moved'
    const seen = await source.head(signal)
    if (!row?.block) return start(seen, row?.finalized ?? 0n, signal)
    try {
      return await followTo(seen, { ...row, block: row.block }, signal)
    } catch (error) {
      width.failed()
      if (isUnreadable(error)) await noteUnread(row.block, seen.head)
      throw error
    }
  }

  /** Records in the chain's row that no node's answer allowed this worker to read new blocks. */
  async function noteUnread(cursor: BlockName, head: Header): Promise<void> {
    const worker = options.worker()
    if (worker === undefined || head.number <= cursor.number) return
    await store.noteHead(db, { chainId: chain.id, worker, cursor: cursor.hash, head: head.number })
  }

  async function followTo(
    { head, finalizedUnderHead }: Head,
    row: store.ChainRow & { block: BlockName },
    signal: AbortSignal,
  ): Promise<'moved' | 'idle'> {
    const finalized = larger(row.finalized, finalizedUnderHead)
    metrics.headBlock.set(label, Number(head.number))
    const at = { head, finalized, cursor: row.block, confirmed: true, signal }
    if (head.hash === row.block.hash) return reportAndJoin(at)
    const found = await findNext({ ...row, head, most: width.current() }, { db, source, chain, signal })
    // A final block below a head of a possibly different fork proves nothing about stored blocks.
    const unconfirmed = { ...at, finalized: row.finalized, confirmed: false }
    if (found === 'lagging') return reportAndJoin(unconfirmed)
    const { fork, headers } = found
    const lower = await undoTo(row, fork)
    if (lower) {
      await applyPrepared({ cursor: row.block, fork: lower, blocks: [], head, finalized: row.finalized, isPart: true })
      return 'moved'
    }
    const isReleased = isHistoryCheaper(handler.followed(), finalized - fork.number)
    const final = { before: smaller(row.finalized, row.block.number), now: finalized, underHead: finalizedUnderHead }
    const reached = isReleased ? [fork] : [fork, ...headers]
    if (!(await isFinalUnder({ db, source, chainId: chain.id }, head, reached, final, signal)))
      return reportAndJoin(unconfirmed)
    if (isReleased) return release(row.block, fork, head, finalized)
    const all = await read(headers, finalized, signal)
    const blocks = all.slice(0, handler.fitting?.(all) ?? all.length)
    width.read(blocks.length, all.length)
    if (!(await applyPrepared({ cursor: row.block, fork, blocks, head, finalized }))) return 'moved'
    const last = blocks.at(-1)?.header ?? fork
    metrics.lagBlocks.set(label, Math.max(0, Number(head.number - last.number)))
    if (last.hash === head.hash) await join({ number: last.number, hash: last.hash }, finalized, signal)
    return 'moved'
  }

  /** The stored block above `fork` down to which one transaction undoes, if undoing all blocks above `fork` exceeds it; else undefined. */
  async function undoTo(
    { block, finalized }: { block: BlockName; finalized: bigint },
    fork: BlockName,
  ): Promise<BlockName | undefined> {
    const worker = options.worker()
    if (!handler.undoTo || worker === undefined || fork.number >= block.number) return undefined
    const number = await handler.undoTo(fork.number, { ...block, finalized, worker })
    if (number <= fork.number) return undefined
    const hash = (await store.blockHashes(db, chain.id, number, number)).get(number)
    return hash && { number, hash }
  }

  /** False: the handler needs further parts of the blocks, and nothing is applied. */
  async function applyPrepared(change: Change): Promise<boolean> {
    try {
      await handler.prepare?.({ fork: change.fork.number, blocks: change.blocks })
      await apply(change)
      return true
    } catch (error) {
      if (!(error instanceof ReadAgainError)) throw error
      log.debug({ chain: chain.name, block: String(change.fork.number) }, 'blocks re-read')
      return false
    }
  }

  async function read(headers: readonly Header[], finalized: bigint, signal: AbortSignal): Promise<FollowedBlock[]> {
    const watched = handler.watched()
    const { topics } = handler
    const wanted: WantedLogs = {
      topics: topics === null ? [] : [topics],
      watched: (address) => watched.has(address),
      watchedList: () => watched.keys(),
      ...(handler.parties && { parties: handler.parties() }),
    }
    const blocks = await readBlocks({
      source,
      headers,
      wanted: () => (topics?.length === 0 ? undefined : wanted),
      undoable: ({ number }) => number > finalized,
      signal,
    })
    for (const { logs } of blocks) metrics.logs.inc({ chain: chain.name, phase: 'follow' }, logs.length)
    return blocks
  }

  async function apply({ cursor, fork, blocks, head, finalized, isPart = false }: Change): Promise<void> {
    const reverted = cursor.number - fork.number
    const began = performance.now()
    const block = blocks.at(-1)?.header ?? fork
    await write(cursor, { block, head: heads.highest(head.number, reverted > 0n), finalized }, async (tx) => {
      if (reverted > 0n) await undo(tx, fork.number)
      for (const block of blocks) await handler.apply(tx, block)
      const headers = blocks.map(({ header }) => header)
      await store.insertBlocks(tx, chain.id, headers)
      await handler.finalize(tx, finalized)
      await store.deleteBlocksBelow(tx, chain.id, finalized - store.keptBelowFinalized)
    })
    const timestamps = blocks.map(({ header }) => header.timestamp)
    const ms = performance.now() - began
    width.written(blocks.length, ms)
    if (isLate(ms, timestamps)) onLate?.()
    handler.committed({ fork: fork.number, blocks, finalized, released: false })
    if (reverted > 0n) {
      if (!isPart) metrics.reorgs.inc(label)
      metrics.reorgBlocks.inc(label, Number(reverted))
      log.info({ chain: chain.name, fork: String(fork.number), blocks: String(reverted) }, 'reorg handled')
    }
    heads.confirmed()
    metrics.blocks.inc(label, blocks.length)
    log.debug({ chain: chain.name, block: String(block.number), blocks: blocks.length }, 'blocks followed')
  }

  /**
   * One transaction that moves the cursor, if it has not changed since it was read and this worker still holds the chain. The cursor comes first: on
   * a cluster each node has a copy of it, so no row is read before the last block is committed on all nodes.
   */
  async function write(
    cursor: BlockName | undefined,
    next: { block: BlockName | undefined; head: bigint; finalized: bigint },
    work: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const worker = options.worker()
    if (worker === undefined) throw new CursorLostError(`${chain.name} is not held by this process`)
    await db.transaction(async (tx) => {
      const row = await store.readChain(tx, chain.id, true)
      if (row?.block?.hash !== cursor?.hash)
        throw new CursorLostError(`the cursor of ${chain.name} was moved by another process`)
      if (isRevised(row)) throw new CursorLostError(`what is followed of ${chain.name} was changed`)
      const moved = await store.moveCursor(tx, { chainId: chain.id, worker, ...next })
      if (moved) await work(tx)
      // Checked again: a process that was frozen meanwhile writes nothing.
      if (!moved || !(await isHeldBy(tx, 'chain', chain.id, worker)))
        throw new CursorLostError(`${chain.name} is held by another process now`)
    })
  }

  /** Starts following at the finalized block: later blocks up to the head are then applied one by one. `stored`: the last known finalized block. */
  async function start(seen: Head, stored: bigint, signal: AbortSignal): Promise<'moved' | 'idle'> {
    const { head, finalizedUnderHead: finalized } = seen
    // The head is from a lagging node.
    if (finalized < stored) return 'idle'
    const anchor = await source.headerUnder(head, finalized, signal)
    if (!anchor) return 'idle'
    await write(undefined, { block: anchor, head: head.number, finalized }, async (tx) => {
      await store.deleteBlocksAbove(tx, chain.id, -1n)
      await store.insertBlocks(tx, chain.id, [anchor])
    })
    log.info({ chain: chain.name, block: String(finalized), head: String(head.number) }, 'chain following started')
    return 'moved'
  }

  async function release(cursor: BlockName, fork: BlockName, head: Header, finalized: bigint): Promise<'moved'> {
    await write(cursor, { block: undefined, head: head.number, finalized }, async (tx) => {
      if (cursor.number > fork.number) await undo(tx, fork.number)
      await handler.release(tx, fork.number)
      await store.deleteBlocksAbove(tx, chain.id, -1n)
    })
    handler.committed({ fork: fork.number, blocks: [], finalized, released: true })
    log.info({ chain: chain.name, behind: String(finalized - fork.number) }, 'chain too far behind: reading history')
    return 'moved'
  }

  /** Without a new block to apply: stores the head, then lets collections and streams join at the cursor. */
  async function reportAndJoin(at: {
    head: Header
    finalized: bigint
    cursor: BlockName
    /** The cursor's block is the node's head; false: the node seems to lag. */
    confirmed: boolean
    signal: AbortSignal
  }): Promise<'moved' | 'idle'> {
    const { head, finalized, cursor, confirmed, signal } = at
    const worker = options.worker()
    if (worker === undefined) return 'idle'
    const highest = larger(heads.highest(head.number, false), cursor.number)
    const reported = { chainId: chain.id, worker, cursor: cursor.hash, head: highest }
    if (!(await (confirmed ? store.confirmHead : store.noteHead)(db, reported))) return 'idle'
    if (confirmed) heads.confirmed()
    else if (head.number < cursor.number) await heads.below(head.number, cursor.number)
    return (await join(cursor, finalized, signal)) ? 'moved' : 'idle'
  }

  async function undo(tx: Transaction, above: bigint): Promise<void> {
    await handler.revert(tx, above)
    await store.undoBlocksAbove(tx, chain.id, above)
  }

  async function join(cursor: BlockName, finalized: bigint, signal: AbortSignal): Promise<boolean> {
    const worker = options.worker()
    return worker !== undefined && handler.join({ ...cursor, finalized, worker }, signal)
  }

  return { step }
}
