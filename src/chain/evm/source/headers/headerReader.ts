import type { Metrics } from '../../../../metrics/metrics.ts'
import { quantity } from '../../../../util/hex.ts'
import type { EvmChain } from '../../chains.ts'
import { parseHeader } from '../../rpc/parseHeader.ts'
import type { Header, Rpc } from '../../rpc/rpc.ts'
import { RpcError } from '../../rpc/rpcError.ts'

export type HeaderReader = {
  /** Headers requested at once, in one HTTP request: with several, an error in one would repeat all. */
  chunk: bigint
  /** Headers of `from`…`to` linked by parent hash; shorter if no node has the later ones. */
  read(from: bigint, to: bigint, signal?: AbortSignal): Promise<Header[]>
}

/** Headers requested at once if a node accepts as many calls in one request. */
const mostAtOnce = 100
/** Blocks to check above a number without a block: at most a few consecutive null rounds of Filecoin occur. */
export const longestGap = 8

export function createHeaderReader(options: { rpc: Rpc; chain: EvmChain; metrics: Metrics }): HeaderReader {
  const { rpc, chain, metrics } = options
  const chunk = BigInt(Math.min(mostAtOnce, rpc.batchSize))

  async function readChunk(from: bigint, to: bigint, avoid: Set<string>, signal?: AbortSignal): Promise<Header[]> {
    const numbers = Array.from({ length: Number(to - from) + 1 }, (_, i) => from + BigInt(i))
    const { found, endpoint } = await fetchHeaders(rpc, numbers, avoid, signal)
    if (found.includes(undefined)) await fillGaps(found, from, avoid, signal)
    const gap = found.indexOf(undefined)
    if (gap !== -1) avoid.add(endpoint)
    return (gap === -1 ? found : found.slice(0, gap)) as Header[]
  }

  /** Fills numbers without a block on this chain, if the blocks around them link to each other. */
  async function fillGaps(
    found: (Header | undefined)[],
    from: bigint,
    avoid: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<void> {
    const below = from > 0n ? from - 1n : 0n
    const above = from + BigInt(found.length)
    const numbers = [below, ...Array.from({ length: longestGap }, (_, i) => above + BigInt(i))]
    const around = await fetchHeaders(rpc, numbers, avoid, signal)
    let last = from > 0n ? around.found[0] : undefined
    const later = [...found, ...around.found.slice(1)]
    for (const [i, header] of found.entries()) {
      if (header) last = header
      const next = later.slice(i + 1).find((entry) => entry !== undefined)
      if (!header && last && next?.parentHash === last.hash) found[i] = absentBlock(last, from + BigInt(i))
    }
  }

  async function readOnce(from: bigint, to: bigint, avoid: Set<string>, signal?: AbortSignal): Promise<Header[]> {
    const chunks: Promise<Header[]>[] = []
    for (let at = from; at <= to; at += chunk)
      chunks.push(readChunk(at, at + chunk - 1n < to ? at + chunk - 1n : to, avoid, signal))
    return joinedPrefix((await Promise.all(chunks)).flat(), from)
  }

  async function read(from: bigint, to: bigint, signal?: AbortSignal): Promise<Header[]> {
    if (to < from) return []
    const wanted = Number(to - from) + 1
    const avoid = new Set<string>()
    const first = await readOnce(from, to, avoid, signal)
    if (first.length === wanted) return first
    // The node lags, or a reorganisation happened between two answers.
    metrics.rpcOmissions.inc({ chain: chain.name, kind: 'header' })
    const second = await readOnce(from, to, avoid, signal)
    return second.length >= first.length ? second : first
  }

  return { chunk, read }
}

/** Headers by their numbers, all from one endpoint; undefined if it lacks a block. */
export async function fetchHeaders(
  rpc: Rpc,
  numbers: readonly bigint[],
  avoid: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<{ found: (Header | undefined)[]; endpoint: string }> {
  const calls = numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), false] }))
  const { result, endpoint } = await rpc.together<unknown>(calls, { avoid, ...(signal && { signal }) })
  return { found: result.map((block, i) => headerOf(block, numbers[i]!)), endpoint }
}

/** The header in an answer; undefined if the node has no block of this number. Throws every other error. */
export function headerOf(block: unknown, number: bigint): Header | undefined {
  if (block instanceof Error) {
    if (block instanceof RpcError && (block.class === 'beyond_head' || block.class === 'pruned')) return undefined
    throw block
  }
  const header = parseHeader(block)
  return header?.number === number ? header : undefined
}

/** A number without a block: nothing happened in it, and the block above links to the one below. */
function absentBlock(below: Header, number: bigint): Header {
  return { ...below, number, parentHash: below.hash, logsBloom: null, transactionCount: 0, absent: true }
}

/** Headers up to the first that does not link to the previous one. */
export function joinedPrefix(headers: Header[], from: bigint): Header[] {
  const broken = headers.findIndex(
    (header, i) => header.number !== from + BigInt(i) || (i > 0 && header.parentHash !== headers[i - 1]!.hash),
  )
  return broken === -1 ? headers : headers.slice(0, broken)
}
