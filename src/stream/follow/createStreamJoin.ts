import type { EvmChain } from '../../chain/evm/chains.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { Database, Sql } from '../../db/database.ts'
import { inSnapshot } from '../../db/inSnapshot.ts'
import { blockHashes, readChain } from '../../sync/chainStore.ts'
import { everyLog, readBlocks } from '../../sync/readBlocks.ts'
import { larger } from '../../util/extremes.ts'
import type { Hex } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { unlessAborted } from '../../util/wait.ts'
import { readJoinable, type StreamChain } from '../definition/streamChain.ts'
import { readChanges, type StreamShape } from '../definition/streamChange.ts'
import type { NewWebhook } from '../ledger/newWebhook.ts'
import type { TokenReader } from '../payload/tokenReader.ts'
import { createChainStreams } from './createChainStreams.ts'
import { loadStream } from './loadStreams.ts'
import { matchPast } from './matchBlocks.ts'
import { pauseFaulty, pauseUnmatchable } from './pauseUnmatchable.ts'

export type StreamJoinOptions = {
  chain: EvmChain
  source: EvmSource
  db: Database
  tokens: TokenReader
  /** Larger webhooks are split, in bytes. */
  maxBytes: number
  log: Log
}

/**
 * A stream that catches up from its history to the chain's cursor. A few blocks at a time are matched while the chain
 * is followed. Blocks that a reorg or a change of the stream affects are matched again. Blocks that history matched
 * meanwhile are dropped. So the join ends at the cursor, however far that has moved.
 */
export type StreamJoin = {
  place: StreamChain
  /** First unmatched block. */
  next(): bigint
  /** `seq` of the last applied change of the stream. */
  lastSeq(): bigint
  /** Characters of the webhooks in memory. */
  size(): number
  /**
   * Matches the next blocks. `more`: further blocks may follow; `reached`: it is at the cursor; `moved`: the node's
   * chain currently differs from the followed one; `void`: the stream cannot join from here. Throws the node's errors.
   */
  extend(signal: AbortSignal): Promise<'more' | 'reached' | 'moved' | 'void'>
  /** Whether all blocks up to this one are matched, on the same chain. */
  isAt(block: { number: bigint; hash: Hex }): boolean
  /** Webhooks by block, without those that history matched meanwhile; undefined if history was restarted. */
  webhooksAfter(now: StreamChain): NewWebhook[][] | undefined
}

/** Blocks per step. */
const blocksPerStep = 64n

export function createStreamJoin(
  { chain, source, db, tokens, maxBytes, log }: StreamJoinOptions,
  place: StreamChain,
): StreamJoin {
  const chainId = chain.id
  const streams = createChainStreams({ chainId })
  /** Matched blocks in order, from `first` to the one before `next`. */
  let matched: { number: bigint; hash: Hex; webhooks: NewWebhook[] }[] = []
  let first = place.nextBlock
  let next = first
  let lastSeq = 0n
  /** The stream's current shape. */
  let shape: StreamShape | undefined

  /** Loads the stream's current state; false if it was deleted. */
  async function takeIn(sql: Sql, now: StreamChain): Promise<boolean> {
    if (streams.size() === 0) {
      const loaded = await loadStream(sql, chainId, now)
      if (!loaded) return false
      streams.add(loaded)
      shape = loaded.shape
      lastSeq = loaded.changes.at(-1)?.seq ?? 0n
      return true
    }
    for (const change of await readChanges(sql, chainId, { after: lastSeq, streamId: place.streamId })) {
      streams.change(change)
      shape = change.after ?? shape
      lastSeq = change.seq
      cutFrom(change.effective)
    }
    return true
  }

  function cutFrom(block: bigint): void {
    matched = matched.filter(({ number }) => number < block)
    if (block < next) next = larger(block, first)
  }

  function passTo(block: bigint): void {
    matched = matched.filter(({ number }) => number >= block)
    first = block
    if (next < block) next = block
  }

  /** Whether history continued from its place. If not, it was restarted. */
  const follows = (now: StreamChain) => now.fromBlock === place.fromBlock && now.nextBlock >= first

  /** Reads the stream and the chain in one snapshot: the cursor, and the followed hashes of the next blocks. */
  async function look(sql: Sql) {
    const now = await readJoinable(sql, chainId, place)
    if (!now || !follows(now) || !(await takeIn(sql, now))) return undefined
    passTo(now.nextBlock)
    const cursor = (await readChain(sql, chainId))?.block
    return cursor && { cursor, known: await blockHashes(sql, chainId, next - 1n, next + blocksPerStep - 1n) }
  }

  return {
    place,
    next: () => next,
    lastSeq: () => lastSeq,
    size: () => matched.reduce((sum, block) => block.webhooks.reduce((own, { body }) => own + body.length, sum), 0),

    async extend(signal) {
      const view = await inSnapshot(db, look)
      if (!view) return 'void'
      if ((await pauseFaulty({ db, log }, streams)).length > 0) return 'void'
      const { cursor, known } = view
      const tail = matched.at(-1)
      if (tail && known.get(tail.number) !== tail.hash) {
        cutFrom(next - blocksPerStep)
        return 'more'
      }
      if (next > cursor.number) return 'reached'
      if (!known.has(next)) return 'void'
      const from = next
      const last = from + blocksPerStep - 1n
      const to = last < cursor.number ? last : cursor.number
      const headers = await source.headers(from, to, signal)
      if (BigInt(headers.length) !== to - from + 1n) return 'moved'
      if (headers.some(({ number, hash }) => known.get(number) !== hash)) return 'moved'
      const { logs } = streams.needs()
      const matching = readBlocks({ source, headers, wanted: () => (logs ? everyLog : undefined), signal }).then(
        (blocks) => matchPast({ streams, blocks, chainId, tokens, maxBytes }, shape!),
      )
      try {
        const webhooks = await unlessAborted(matching, signal)
        for (const [i, { number, hash }] of headers.entries()) matched.push({ number, hash, webhooks: webhooks[i]! })
        next = to + 1n
        return 'more'
      } catch (error) {
        signal.throwIfAborted()
        await pauseUnmatchable({ db, log }, error)
        return 'void'
      }
    },

    isAt({ number, hash }) {
      const tail = matched.at(-1)
      if (tail) return tail.number === number && tail.hash === hash
      return streams.size() > 0 && next > number
    },

    webhooksAfter(now) {
      if (!follows(now)) return undefined
      return matched.filter(({ number }) => number >= now.nextBlock).map(({ webhooks }) => webhooks)
    },
  }
}
