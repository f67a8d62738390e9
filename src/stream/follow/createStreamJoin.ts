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
  /** A webhook above so many bytes is written in parts. */
  maxBytes: number
  log: Log
}

/**
 * A stream on its way from its history to the chain's cursor. The blocks between are matched a few at a time while the chain is
 * followed. Blocks that a reorganisation removed meanwhile, or to which a change of the stream applies, are matched again. Blocks that history
 * matched meanwhile are dropped. So the join ends at the cursor, however far that has moved.
 */
export type StreamJoin = {
  place: StreamChain
  /** First block that is not matched. */
  next(): bigint
  /** `seq` of the last change of the stream that was taken in. */
  lastSeq(): bigint
  /** Characters of the webhooks that are kept. */
  size(): number
  /**
   * Matches the next blocks. `more`: further blocks may follow; `reached`: the cursor is reached; `moved`: at the moment the node
   * has another chain than the one that is followed; `void`: the stream cannot join from here. Throws what the node throws.
   */
  extend(signal: AbortSignal): Promise<'more' | 'reached' | 'moved' | 'void'>
  /** Whether every block up to this one is matched, and none of another chain. */
  isAt(block: { number: bigint; hash: Hex }): boolean
  /** Webhooks by block, of the blocks that history has not matched; undefined if history was restarted. */
  webhooksAfter(now: StreamChain): NewWebhook[][] | undefined
}

/** Blocks matched at a time. */
const blocksPerStep = 64n

export function createStreamJoin(
  { chain, source, db, tokens, maxBytes, log }: StreamJoinOptions,
  place: StreamChain,
): StreamJoin {
  const chainId = chain.id
  const streams = createChainStreams({ chainId })
  /** The matched blocks in their order, from `first` to the one before `next`. */
  let matched: { number: bigint; hash: Hex; webhooks: NewWebhook[] }[] = []
  let first = place.nextBlock
  let next = first
  let lastSeq = 0n
  /** The stream as it is now. */
  let shape: StreamShape | undefined

  /** The stream as it is now; false if it was deleted. */
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

  /** Whether history continued from where it was. If not, it was restarted. */
  const follows = (now: StreamChain) => now.fromBlock === place.fromBlock && now.nextBlock >= first

  /** Reads the stream and the chain in one snapshot: the cursor, and the followed hashes of the blocks to match next. */
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
