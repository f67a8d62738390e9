import { LRUCache } from 'lru-cache'
import type { Metrics } from '../../metrics.ts'
import { quantity } from '../../util/hex.ts'
import type { EvmChain } from './chains.ts'
import { parseHeader } from './parseHeader.ts'
import type { Header, Rpc } from './rpc.ts'
import { RpcError } from './rpcError.ts'

export type HeaderReader = {
  /** Headers of `from`…`to` joined by parent hash; shorter where no node has the later ones. */
  read(from: bigint, to: bigint, signal?: AbortSignal): Promise<Header[]>
  /** The same, from memory where they were read before: only for blocks that hardly change, and to be dropped on doubt. */
  recall(from: bigint, to: bigint, signal?: AbortSignal): Promise<Header[]>
  forget(from: bigint, to: bigint): void
}

/** Headers asked for in one request. */
const chunkSize = 100n
/** Headers remembered: 1 kB each, and twice the blocks that `recall` is used for. */
const maxRemembered = 2_048

export function createHeaderReader(options: { rpc: Rpc; chain: EvmChain; metrics: Metrics }): HeaderReader {
  const { rpc, chain, metrics } = options
  const remembered = new LRUCache<bigint, Header>({ max: maxRemembered })

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

  return {
    read,
    async recall(from, to, signal) {
      const missing: [bigint, bigint][] = []
      for (let number = from; number <= to; number++) {
        if (remembered.has(number)) continue
        const last = missing.at(-1)
        if (last && last[1] === number - 1n) last[1] = number
        else missing.push([number, number])
      }
      // Beside the memory, which a long range would push its own first headers out of.
      const fresh = new Map<bigint, Header>()
      for (const [first, last] of missing)
        for (const header of await read(first, last, signal)) {
          fresh.set(header.number, header)
          remembered.set(header.number, header)
        }
      const headers: Header[] = []
      for (let number = from; number <= to; number++) {
        const header = fresh.get(number) ?? remembered.get(number)
        if (!header) break
        headers.push(header)
      }
      return joinedPrefix(headers, from)
    },
    forget(from, to) {
      for (let number = from; number <= to; number++) remembered.delete(number)
    },
  }
}

function joinedPrefix(headers: Header[], from: bigint): Header[] {
  const broken = headers.findIndex(
    (header, i) => header.number !== from + BigInt(i) || (i > 0 && header.parentHash !== headers[i - 1]!.hash),
  )
  return broken === -1 ? headers : headers.slice(0, broken)
}
