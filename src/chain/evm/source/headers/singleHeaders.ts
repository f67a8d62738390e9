import type { Metrics } from '../../../../metrics/metrics.ts'
import { chunksOf } from '../../../../util/chunksOf.ts'
import type { EvmChain } from '../../chains.ts'
import { parseHeader } from '../../rpc/parseHeader.ts'
import type { Header, Rpc } from '../../rpc/rpc.ts'
import { RpcError } from '../../rpc/rpcError.ts'
import type { EvmSource, NamedBlock } from '../source.ts'
import { InconsistentResponseError } from '../sourceError.ts'
import { fetchHeaders, longestGap } from './headerReader.ts'

/** Most headers in one request: each is at least 1 kB, with the hashes of its transactions 20 kB. */
const mostAtOnce = 50

/** Headers of blocks that need not be consecutive. */
export function createSingleHeaders(options: { rpc: Rpc; chain: EvmChain; metrics: Metrics }): Pick<
  EvmSource,
  'headersOf' | 'headerUnder'
> & {
  /** The header of a block by its hash from any node, even of an orphaned fork; undefined if none has it. */
  headerOfAnyFork: EvmSource['headerByHash']
} {
  const { rpc, chain, metrics } = options
  const chunk = Math.min(mostAtOnce, rpc.batchSize)

  /** Queries one endpoint for the headers that are still missing. */
  async function fill(
    blocks: readonly NamedBlock[],
    found: (Header | undefined)[],
    avoid: Set<string>,
    signal?: AbortSignal,
  ): Promise<void> {
    const missing = blocks.flatMap((_, i) => (found[i] ? [] : [i]))
    for (const part of chunksOf(missing, chunk)) {
      const numbers = part.map((i) => blocks[i]!.number)
      const { found: given, endpoint } = await fetchHeaders(rpc, numbers, avoid, signal)
      for (const [n, i] of part.entries()) {
        const { hash } = blocks[i]!
        const header = given[n]
        if (header && (hash === undefined || header.hash === hash)) found[i] = header
        else avoid.add(endpoint)
      }
    }
  }

  async function headersOf(blocks: readonly NamedBlock[], signal?: AbortSignal): Promise<Header[]> {
    const found: (Header | undefined)[] = blocks.map(() => undefined)
    const avoid = new Set<string>()
    for (let attempt = 0; attempt <= rpc.endpoints; attempt++) {
      await fill(blocks, found, avoid, signal)
      if (!found.includes(undefined)) return found as Header[]
      metrics.rpcOmissions.inc({ chain: chain.name, kind: 'header' })
    }
    const { number, hash } = blocks[found.indexOf(undefined)]!
    const question = `block ${number}${hash === undefined ? '' : ` (${hash})`}`
    throw new InconsistentResponseError({ chain: chain.name, question, reason: 'no node has its header' })
  }

  return {
    headersOf,
    async headerUnder(head, number, signal) {
      const avoid = new Set<string>()
      let depth = 0
      for (let attempt = 0; attempt <= rpc.endpoints; attempt++) {
        const below = Array.from({ length: depth + 1 }, (_, i) => number - BigInt(i)).filter((n) => n >= 0n)
        const { found, endpoint } = await fetchHeaders(rpc, [head.number, ...below], avoid, signal)
        const [top, ...rest] = found
        const header = top?.hash === head.hash ? rest.find((one) => one !== undefined) : undefined
        if (header) return header
        if (top?.hash === head.hash && depth === 0) depth = longestGap
        else avoid.add(endpoint)
      }
      return undefined
    },
    async headerOfAnyFork(hash, signal) {
      const avoid = new Set<string>()
      // A lagging node does not know a block that another one has.
      for (let attempt = 0; attempt < Math.max(2, rpc.endpoints); attempt++) {
        const { result, endpoint } = await rpc
          .request<unknown>('eth_getBlockByHash', [hash, false], {
            avoid,
            ...(signal && { signal }),
          })
          .catch((error: unknown) => {
            if (error instanceof RpcError && error.class === 'beyond_head')
              return { result: null, endpoint: error.endpoint }
            throw error
          })
        const header = parseHeader(result)
        if (header?.hash === hash) return header
        avoid.add(endpoint)
      }
      return undefined
    },
  }
}
