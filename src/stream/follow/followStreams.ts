import type { EvmChain } from '../../chain/evm/chains.ts'
import type { ContractReader } from '../../chain/evm/contracts/contract.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { Database, Sql, Transaction } from '../../db/database.ts'
import { inSnapshot } from '../../db/inSnapshot.ts'
import { type BlockHandler, type FollowedBlock, ReadAgainError } from '../../sync/blockHandler.ts'
import { alwaysFollowed } from '../../sync/catchUpCost.ts'
import { blockHashes } from '../../sync/chainStore.ts'
import type { Address, Hex } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { readLivePlace, releaseStreams, revertHistory } from '../definition/streamChain.ts'
import { forgetChanges, readChanges } from '../definition/streamChange.ts'
import {
  anyUnconfirmed,
  awaitConfirmation,
  confirmed,
  forgetConfirmations,
  takeConfirmed,
} from '../ledger/confirmations.ts'
import type { NewWebhook } from '../ledger/newWebhook.ts'
import { retractWebhooks } from '../ledger/retractWebhooks.ts'
import { UnmatchableError } from '../match/unmatchableError.ts'
import { createTokenReader, type SpamFilter } from '../payload/tokenReader.ts'
import { createChainStreams, type LoadedStream } from './createChainStreams.ts'
import { createRowWriter } from './createRowWriter.ts'
import { createStreamJoins } from './createStreamJoins.ts'
import { enqueueReceiving } from './enqueueBlocks.ts'
import { loadLiveStreams, loadStream } from './loadStreams.ts'
import { matchBlocks } from './matchBlocks.ts'
import { MissingDataError } from './missingDataError.ts'
import { pauseFaulty, pauseUnmatchable } from './pauseUnmatchable.ts'
import { returnToHistory } from './returnToHistory.ts'

export type FollowStreamsOptions = {
  chain: EvmChain
  source: EvmSource
  contracts: ContractReader
  db: Database
  /** Omitted: nothing counts as spam. */
  spamFilter?: SpamFilter
  log: Log
  /** Larger webhooks are split, in bytes. */
  maxBytes: number
  /** A stream can join: the handler's `join` must run between two blocks. */
  onRead?: () => void
}

/** Interval at which unneeded changes are deleted. */
const forgetMs = 60_000

const nothingWatched = new Map<Address, never>()

/**
 * The block handler of `createFollower` that matches blocks for the chain's streams. Matches before the transaction,
 * and again within it if a stream changed meanwhile. No stream changes within it, as such a change also locks the
 * chain.
 */
export async function followStreams(options: FollowStreamsOptions): Promise<BlockHandler> {
  const { chain, db, log, maxBytes } = options
  const chainId = chain.id
  const confirmations = BigInt(chain.confirmations)
  const chainText = String(chainId)
  const streams = createChainStreams({ chainId })
  const tokens = createTokenReader(options)
  const rows = createRowWriter({ db, log, follows: streams.has })
  const joins = createStreamJoins({ ...options, tokens, onRead: options.onRead ?? (() => undefined) })
  let seen = await loadLiveStreams(db, chainId, streams.add)
  /** Whether any webhook awaits confirmation. */
  let unconfirmed = await anyUnconfirmed(db, chainId)
  /** `unconfirmed` after the current transaction is committed; undefined: not read. */
  let counted: boolean | undefined
  /** Whether the current blocks were read with all logs. */
  let readsLogs = false
  let blocks: readonly FollowedBlock[] = []
  /** Unconfirmed webhooks of the current blocks, by block hash. */
  let matched = new Map<Hex, NewWebhook[]>()
  let queue: NewWebhook[] = []
  let forgetAt = 0
  /** The last matching failed, as the nodes did not return data of some streams, which another attempt may get. */
  let missed = false
  /** The last followed block; undefined: none yet. */
  let reached: bigint | undefined

  /**
   * Applies changes of streams since its last call; true if there were any. Must run in a snapshot or while the chain
   * is locked: a new stream is loaded with all its changes, which must not be applied again. Reads everything before
   * applying anything, so that a failed read leaves a consistent state.
   */
  async function catchUp(sql: Sql): Promise<boolean> {
    const changes = await readChanges(sql, chainId, { after: seen })
    const appeared = new Map<string, LoadedStream | undefined>()
    const removed = new Set<string>()
    for (const { streamId, isDeleted, before, after } of changes) {
      if (isDeleted || appeared.has(streamId)) continue
      const place = await readLivePlace(sql, chainId, streamId)
      // The place of a stream that left the chain may be deleted; then changes of its addresses do not list the chain.
      const returns = after?.chainIds.includes(chainText) && before && !before.chainIds.includes(chainText)
      if (!streams.has(streamId) || returns) appeared.set(streamId, place && (await loadStream(sql, chainId, place)))
      else if (!place) removed.add(streamId)
    }
    for (const [streamId, loaded] of appeared) {
      if (streams.has(streamId)) streams.remove(streamId)
      if (loaded) streams.add(loaded)
    }
    for (const streamId of removed) streams.remove(streamId)
    // Streams that left, also since the last call, may have left unconfirmed webhooks.
    unconfirmed ||= changes.length > 0
    for (const change of changes) {
      if (change.isDeleted) streams.remove(change.streamId)
      else if (!appeared.has(change.streamId)) streams.change(change)
      seen = change.seq
    }
    return changes.length > 0
  }

  async function matchAll(): Promise<void> {
    if (streams.needs().logs && !readsLogs) throw new ReadAgainError(`streams of ${chain.name} want all logs now`)
    const webhooks = await matchBlocks({ streams, blocks, chainId, tokens, maxBytes, live: true })
    matched = new Map(blocks.map(({ header }, i) => [header.hash, webhooks[i]!]))
  }

  /**
   * Matches the blocks before the transaction. Streams whose data the nodes do not return go back to history, if that
   * lasts or fails twice in a row: the nodes returned the blocks meanwhile. A stream that cannot be matched is paused. Each
   * has its own transaction. A paused stream that cannot be matched in blocks from before its pause gets no matches of
   * them, so that the others continue.
   */
  async function matchOrRemove(): Promise<void> {
    for (;;)
      try {
        await matchAll()
        missed = false
        return
      } catch (error) {
        const isMissing = error instanceof MissingDataError
        if (isMissing && !error.lasts && !missed) {
          missed = true
          throw error
        }
        const removed = isMissing
          ? await returnToHistory({ db, log, chainId }, error)
          : await pauseUnmatchable(options, error)
        if (removed.length > 0) throw new ReadAgainError(`streams of ${chain.name} left`, { cause: error })
        if (!(error instanceof UnmatchableError) || !streams.has(error.streamId)) throw error
        streams.mute(error.streamId)
      }
  }

  async function matchAgain(): Promise<void> {
    try {
      await matchAll()
    } catch (error) {
      if (!(error instanceof UnmatchableError || error instanceof MissingDataError)) throw error
      throw new ReadAgainError(`streams of ${chain.name} cannot be matched`, { cause: error })
    }
  }

  async function flush(tx: Transaction, options?: { isReleasing: boolean }): Promise<void> {
    await rows.write(tx, queue, (webhooks) => enqueueReceiving(tx, webhooks), options)
    queue = []
  }

  return {
    get topics() {
      readsLogs = streams.needs().logs
      return readsLogs ? null : []
    },
    // If streams need logs, all logs of a block are read and verified by its bloom filter, so no address has to be
    // listed.
    watched: () => nothingWatched,
    followed: () => ({ collections: 0, streams: streams.size() }),

    async prepare(step) {
      if (reached !== undefined && step.fork < reached) tokens.forgetRecent()
      blocks = step.blocks
      await rows.pauseRejected()
      if ((await readChanges(db, chainId, { after: seen })).length > 0) await inSnapshot(db, catchUp)
      await matchOrRemove()
      await pauseFaulty(options, streams)
    },

    async apply(tx, { header }) {
      if (header.hash === blocks[0]?.header.hash) {
        queue = []
        if (await catchUp(tx)) await matchAgain()
      }
      if (unconfirmed || streams.size() > 0)
        queue = queue.concat(await takeConfirmed(tx, chainId, header.number - confirmations))
      const own = matched.get(header.hash) ?? []
      if (own.length === 0) return
      queue = queue.concat(own.filter(({ confirmedOnly }) => !confirmedOnly))
      if (confirmations === 0n) queue = queue.concat(own.map(confirmed))
      else await rows.write(tx, own, (webhooks) => awaitConfirmation(tx, webhooks))
    },

    async revert(tx, fork) {
      queue = []
      await forgetConfirmations(tx, chainId, fork)
      await retractWebhooks(tx, chainId, await blockHashes(tx, chainId, fork + 1n))
      await revertHistory(tx, chainId, fork)
    },

    async finalize(tx) {
      await flush(tx)
      counted = undefined
      if (performance.now() < forgetAt) return
      forgetAt = performance.now() + forgetMs
      counted = await anyUnconfirmed(tx, chainId)
      await forgetChanges(tx)
    },

    async release(tx, number) {
      // A chain is released more than `alwaysFollowed` blocks behind its final one, so matched webhooks are confirmed
      // by now.
      queue = chain.confirmations <= alwaysFollowed ? await takeConfirmed(tx, chainId, number) : []
      await flush(tx, { isReleasing: true })
      await releaseStreams(tx, chainId, number)
    },

    committed({ fork, blocks, finalized, released }) {
      rows.committed()
      reached = blocks.at(-1)?.header.number ?? fork
      if (released) streams.clear()
      else streams.settle(finalized)
      unconfirmed = counted ?? unconfirmed
      counted = undefined
    },

    join: joins.join,
    close: joins.close,
  }
}
