import type { Metrics } from '../../metrics.ts'
import { quantity } from '../../util/hex.ts'
import type { EvmChain } from './chains.ts'
import { parseHeader } from './parseHeader.ts'
import type { Header, Rpc } from './rpc.ts'
import { RpcError } from './rpcError.ts'

export type HeaderReader = {
  /** Headers of `from`…`to` joined by parent hash; shorter where no node has the later ones. */
  read(from: bigint, to: bigint, signal?: AbortSignal): Promise<Header[]>
}

/** Headers asked for in one request. */
export const chunkSize = 100n

export function createHeaderReader(options: { rpc: Rpc; chain: EvmChain; metrics: Metrics }): HeaderReader {
  const { rpc, chain, metrics } = options

  async function readChunk(from: bigint, to: bigint, avoid: Set<string>, signal?: AbortSignal): Promise<Header[]> {
    const calls = Array.from({ length: Number(to - from) + 1 }, (_, i) => ({
      method: 'eth_getBlockByNumber',
      params: [quantity(from + BigInt(i)), false],
    }))
    const { result, endpoint } = await rpc.together<unknown>(calls, { avoid, ...(signal && { signal }) })
    const headers: Header[] = []
    for (const [i, block] of result.entries()) {
      if (block instanceof Error) {
        if (!(block instanceof RpcError) || (block.class !== 'beyond_head' && block.class !== 'pruned')) throw block
        break
      }
      const header = parseHeader(block)
      if (!header || header.number !== from + BigInt(i)) break
      headers.push(header)
    }
    if (headers.length < calls.length) avoid.add(endpoint)
    return headers
  }

  async function readOnce(from: bigint, to: bigint, avoid: Set<string>, signal?: AbortSignal): Promise<Header[]> {
    const chunks: Promise<Header[]>[] = []
    for (let at = from; at <= to; at += chunkSize)
      chunks.push(readChunk(at, at + chunkSize - 1n < to ? at + chunkSize - 1n : to, avoid, signal))
    return joinedPrefix((await Promise.all(chunks)).flat(), from)
  }

  async function read(from: bigint, to: bigint, signal?: AbortSignal): Promise<Header[]> {
    if (to < from) return []
    const wanted = Number(to - from) + 1
    const avoid = new Set<string>()
    const first = await readOnce(from, to, avoid, signal)
    if (first.length === wanted) return first
    // A node that lags, or a chain that moved between two answers.
    metrics.rpcOmissions.inc({ chain: chain.name, kind: 'header' })
    const second = await readOnce(from, to, avoid, signal)
    return second.length >= first.length ? second : first
  }

  return { read }
}

/** Headers up to the first that does not join the one before it. */
export function joinedPrefix(headers: Header[], from: bigint): Header[] {
  const broken = headers.findIndex(
    (header, i) => header.number !== from + BigInt(i) || (i > 0 && header.parentHash !== headers[i - 1]!.hash),
  )
  return broken === -1 ? headers : headers.slice(0, broken)
}
