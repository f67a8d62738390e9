import type { Metrics } from '../../../../metrics/metrics.ts'
import { highestBlock, smaller } from '../../../../util/extremes.ts'
import type { Hex } from '../../../../util/hex.ts'
import type { EvmChain } from '../../chains.ts'
import { parseHeader } from '../../rpc/parseHeader.ts'
import type { Header, Rpc } from '../../rpc/rpc.ts'
import { RpcError } from '../../rpc/rpcError.ts'
import type { Head } from '../source.ts'
import { InconsistentResponseError } from '../sourceError.ts'

export type HeadReader = {
  read(signal?: AbortSignal): Promise<Head>
  /** The finalized block of the last answer; undefined before the first. */
  lastFinalized(): bigint | undefined
  /** That block, with the head of the node that reported it, and its hash if the node returned it; undefined before the first answer. */
  final(): { number: bigint; hash: Hex | undefined; head: Header } | undefined
  /** The number of the head in the last answer; undefined before the first. */
  lastHead(): bigint | undefined
  /** Drops the last answer, which may be of another chain. */
  forget(): void
}

/** A node that does not know the tag is queried for it again after this time. */
const tagPauseMs = 600_000
const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
const finalizedTag = { method: 'eth_getBlockByNumber', params: ['finalized', false] }

/** How long a head waits for the finalized block of a second endpoint. */
const secondMs = 2_000
/** How long a lower finalized block of a second endpoint counts: some nodes always report block 0, or stop finalizing. */
const doubtMs = 60_000

/** Errors that do not show whether the node knows the tag. */
const passing = new Set(['rate_limit', 'overload', 'timeout', 'unreachable', 'broken'])

export function createHeadReader(options: { rpc: Rpc; chain: EvmChain; metrics: Metrics }): HeadReader {
  const { rpc, chain, metrics } = options
  let final: ReturnType<HeadReader['final']>
  let highest: bigint | undefined
  /** Fewest blocks between the finalized block and the head so far. */
  let leastGap: bigint | undefined
  /** When a second endpoint first reported a lower finalized block, on the clock of performance.now(). */
  let doubtedAt: number | undefined
  let tagSeen = false
  let requestTagAt = Number.NEGATIVE_INFINITY

  async function readOnce(avoid: ReadonlySet<string>, signal?: AbortSignal) {
    const withTag = performance.now() >= requestTagAt
    const { result, endpoint } = await rpc.together<unknown>(withTag ? [latest, finalizedTag] : [latest], {
      avoid,
      ...(signal && { signal }),
    })
    const [headBlock, tagBlock] = result
    if (headBlock instanceof Error) throw headBlock
    const head = parseHeader(headBlock)
    if (!head) return { head: undefined, endpoint, tagged: undefined }
    if (tagBlock instanceof RpcError && passing.has(tagBlock.class)) throw tagBlock
    const tagged = parseHeader(tagBlock)
    if (tagged !== undefined) tagSeen = true
    else if (withTag && !tagSeen) requestTagAt = performance.now() + tagPauseMs
    return { head, endpoint, tagged }
  }

  /** The finalized block of another endpoint; undefined if there is no other, it returns none in time, or its head is below `least`: it lags. */
  async function secondTagged(first: string, least: bigint, signal?: AbortSignal): Promise<bigint | undefined> {
    if (rpc.endpoints === 1) return undefined
    const limit = AbortSignal.timeout(secondMs)
    try {
      const either = signal ? AbortSignal.any([signal, limit]) : limit
      const { head, endpoint, tagged } = await readOnce(new Set([first]), either)
      return endpoint === first || !head || head.number < least ? undefined : tagged?.number
    } catch {
      signal?.throwIfAborted()
      return undefined
    }
  }

  /**
   * The finalized block that a node reports. If it is nearer to the head than any before, a second endpoint must agree, for at most `doubtMs`: a wrong
   * one would declare blocks final that a reorganisation still removes.
   */
  async function confirmed(head: Header, tagged: bigint, endpoint: string, signal?: AbortSignal): Promise<bigint> {
    const isNearer = leastGap === undefined || head.number - tagged < leastGap
    const second = isNearer ? await secondTagged(endpoint, tagged, signal) : undefined
    const isDoubted = second !== undefined && second < tagged
    doubtedAt = isDoubted ? (doubtedAt ?? performance.now()) : undefined
    const counts = isDoubted && performance.now() - doubtedAt! < doubtMs
    const finalized = counts ? second : tagged
    if (leastGap === undefined || head.number - finalized < leastGap) leastGap = head.number - finalized
    return finalized
  }

  function faultOf(head: Header): string | undefined {
    if (head.number > highestBlock)
      return `the head is ${head.number}, above ${highestBlock}, the highest block that this server can store`
    // A node whose head is below an earlier finalized block lags, whatever it reports as finalized.
    return final && head.number < final.number
      ? `the head is ${head.number}, below block ${final.number}, which was finalized`
      : undefined
  }

  return {
    lastFinalized: () => final?.number,
    final: () => final,
    lastHead: () => highest,
    forget() {
      final = undefined
      highest = undefined
      leastGap = undefined
      doubtedAt = undefined
    },
    async read(signal) {
      const avoid = new Set<string>()
      let reason = ''
      for (let attempt = 0; attempt <= rpc.endpoints; attempt++) {
        const { head, endpoint, tagged } = await readOnce(avoid, signal)
        const fault = head ? faultOf(head) : 'no head block'
        if (!head || fault !== undefined) {
          reason = fault ?? ''
          metrics.rpcOmissions.inc({ chain: chain.name, kind: 'head' })
          avoid.add(endpoint)
          continue
        }
        // If the tag worked before, only this node lacks it; the block at the configured depth could be above the tag's block.
        const depth = BigInt(chain.finalityDepth)
        const byDepth = tagSeen ? 0n : head.number > depth ? head.number - depth : 0n
        const reported = smaller(head.number, tagged?.number ?? byDepth)
        const now = tagged ? await confirmed(head, reported, endpoint, signal) : reported
        highest = head.number
        if (!final || now >= final.number)
          final = { number: now, hash: tagged?.number === now ? tagged.hash : undefined, head }
        const finalized = final.number
        metrics.headBlock.set({ chain: chain.name }, Number(head.number))
        metrics.headTimestamp.set({ chain: chain.name }, Number(head.timestamp))
        const reports = tagged !== undefined || !tagSeen
        // Another node's answer may be of another fork than this head.
        return { head, finalized, finalizedUnderHead: reports ? now : 0n }
      }
      throw new InconsistentResponseError({ chain: chain.name, question: 'eth_getBlockByNumber latest', reason })
    },
  }
}
