import type { EvmChain } from '../../chain/evm/chains.ts'
import type { EvmSource } from '../../chain/evm/source.ts'
import type { Database } from '../../db/database.ts'
import { inSnapshot } from '../../db/inSnapshot.ts'
import type { Log } from '../../log.ts'
import type { ChainCursor } from '../../sync/blockHandler.ts'
import { blockHashes, readChain } from '../../sync/chainStore.ts'
import { holdsLease } from '../../sync/lease.ts'
import { shownReason } from '../../util/shownReason.ts'
import {
  goLive,
  holdStreamChain,
  noteHistoryFailure,
  readJoinableStreams,
  type StreamChain,
} from '../definition/streamChain.ts'
import { holdChains, readChanges, recordChange } from '../definition/streamChange.ts'
import { enqueueWebhooks } from '../ledger/enqueueWebhooks.ts'
import { type ChainStreams, createChainStreams } from '../match/createChainStreams.ts'
import { matchBlocks } from '../match/matchBlocks.ts'
import type { TokenReader } from '../payload/tokenReader.ts'
import { takeConfirmed } from './confirmations.ts'
import { enqueueBlocks } from './enqueueBlocks.ts'
import { loadStream } from './loadStreams.ts'
import { pauseFaulty, pauseUnmatchable } from './pauseUnmatchable.ts'
import { readBlocks } from './readBlocks.ts'

export type JoinStreamsOptions = { chain: EvmChain; source: EvmSource; db: Database; tokens: TokenReader; log: Log }

/** Streams that join between two blocks. */
const joinsAtOnce = 16

/**
 * Joins the streams whose history ends above the finalized block: reads what lies between it and the cursor, all of the chain
 * that is followed, and makes them live in the transaction that checks the cursor. The follower meets them as a change.
 */
export async function joinStreams(
  options: JoinStreamsOptions,
  cursor: ChainCursor,
  signal: AbortSignal,
): Promise<boolean> {
  const { chain, db } = options
  const due = await readJoinableStreams(db, chain.id, cursor.finalized, joinsAtOnce)
  let joined = false
  for (const place of due) joined = (await tryJoin(options, cursor, place, signal)) || joined
  return joined
}

/** A stream that cannot join keeps nobody else from it, nor the follower from the next block. */
async function tryJoin(
  options: JoinStreamsOptions,
  cursor: ChainCursor,
  place: StreamChain,
  signal: AbortSignal,
): Promise<boolean> {
  const { chain, db, log } = options
  try {
    return await joinOne(options, cursor, place, signal)
  } catch (error) {
    if (signal.aborted) throw error
    log.warn({ chain: chain.name, stream: place.streamId, err: error }, 'a stream could not join')
    const reason = shownReason(error)
    await noteHistoryFailure(db, chain.id, place, reason)
    return false
  }
}

async function joinOne(
  options: JoinStreamsOptions,
  cursor: ChainCursor,
  place: StreamChain,
  signal: AbortSignal,
): Promise<boolean> {
  const { chain, db, log } = options
  const loaded = await inSnapshot(db, (tx) => loadStream(tx, chain.id, place))
  const streams = createChainStreams({ chainId: chain.id })
  if (loaded) streams.add(loaded)
  if ((await pauseFaulty(options, streams)).length > 0) return false
  const webhooks =
    loaded &&
    (await matchUpTo(options, cursor, { streams, from: loaded.place.nextBlock }, signal).catch(async (error) => {
      await pauseUnmatchable(options, streams, error)
      return undefined
    }))
  if (!webhooks) return false
  const joined = await db.transaction(async (tx) => {
    const row = await readChain(tx, chain.id, true)
    if (row?.block?.hash !== cursor.hash) return false
    if (!(await holdsLease(tx, 'chain', chain.id, cursor.worker))) return false
    const held = await holdStreamChain(tx, chain.id, place)
    if (held?.nextBlock !== place.nextBlock) return false
    const last = loaded.changes.at(-1)?.seq ?? 0n
    const since = await readChanges(tx, chain.id, { after: last, streamId: place.streamId })
    if (since.some(({ effective }) => effective <= cursor.number)) return false
    const confirmedTo = cursor.number - BigInt(chain.confirmations)
    // What history left to be confirmed while the cursor moved on: the next block may be long in coming.
    await enqueueWebhooks(tx, await takeConfirmed(tx, chain.id, confirmedTo))
    await enqueueBlocks(tx, webhooks, confirmedTo)
    await goLive(tx, chain.id, place)
    const { partition, streamId } = place
    const chains = await holdChains(tx, [chain.id], new Map())
    await recordChange(tx, chains, { partition, streamId, chainIds: [chain.id] })
    return true
  })
  if (joined) log.info({ chain: chain.name, stream: place.streamId, block: String(cursor.number) }, 'stream is live')
  return joined
}

/** What the stream gets of the blocks up to the cursor; undefined where the chain moved meanwhile. */
async function matchUpTo(
  { chain, source, db, tokens }: JoinStreamsOptions,
  cursor: ChainCursor,
  { streams, from }: { streams: ChainStreams; from: bigint },
  signal: AbortSignal,
) {
  if (from > cursor.number) return []
  const known = await blockHashes(db, chain.id, from)
  const headers = await source.headers(from, cursor.number, signal)
  if (BigInt(headers.length) !== cursor.number - from + 1n) return undefined
  if (headers.some(({ number, hash }) => known.get(number) !== hash)) return undefined
  const { logs } = streams.needs()
  const blocks = await readBlocks({ source, headers, logs: () => logs, signal })
  return matchBlocks({ streams, blocks, chainId: chain.id, tokens, live: false })
}
