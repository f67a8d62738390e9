import type { Metrics } from '../../../../metrics/metrics.ts'
import { chunksOf } from '../../../../util/chunksOf.ts'
import { quantity } from '../../../../util/hex.ts'
import type { EvmChain } from '../../chains.ts'
import { parseHeader } from '../../rpc/parseHeader.ts'
import type { Answer, Header, Rpc } from '../../rpc/rpc.ts'
import { NoEndpointError, RpcError } from '../../rpc/rpcError.ts'
import type { BlockTime, EvmSource, NamedBlock } from '../source.ts'
import { InconsistentResponseError } from '../sourceError.ts'
import { fetchHeaders, longestGap } from './headerReader.ts'

/** Most headers in one request: each is at least 1 kB, with the hashes of its transactions 20 kB. */
const mostAtOnce = 50

/** Errors of a node that returns no block by its hash. */
const noHashes = new Set(['method_missing', 'method_disabled', 'invalid_params', 'unauthorized', 'unknown'])

/** How long a confirmation waits for the second and each further endpoint. */
const furtherMs = 2_000

/** Headers of blocks that need not be consecutive. */
export function createSingleHeaders(options: { rpc: Rpc; chain: EvmChain; metrics: Metrics }): Pick<
  EvmSource,
  'headersOf' | 'headerUnder' | 'confirm'
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

  /** What one endpoint returns for the block's hash and its number; undefined if a further endpoint does not respond in time. */
  async function requestBoth(
    { hash, number }: BlockTime,
    avoid: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<Answer<(unknown | Error)[]> | undefined> {
    const limit = avoid.size > 0 ? [AbortSignal.timeout(furtherMs)] : []
    const calls = [
      { method: 'eth_getBlockByHash', params: [hash, false] },
      { method: 'eth_getBlockByNumber', params: [quantity(number), false] },
    ]
    try {
      return await rpc.together<unknown>(calls, {
        avoid,
        signal: AbortSignal.any([...(signal ? [signal] : []), ...limit]),
      })
    } catch (error) {
      signal?.throwIfAborted()
      if (limit[0]?.aborted || (avoid.size > 0 && error instanceof NoEndpointError)) return undefined
      throw error
    }
  }

  return {
    headersOf,
    async confirm(block, signal) {
      const isSame = (header: Header | undefined) => header?.hash === block.hash && header.timestamp === block.timestamp
      const avoid = new Set<string>()
      let agreeing = 0
      const others: string[] = []
      // A lone endpoint may be several nodes, of which one lags.
      for (let attempt = 0; attempt < Math.max(2, rpc.endpoints) && agreeing < 2; attempt++) {
        if (rpc.endpoints === 1 && agreeing + others.length > 0) break
        const answer = await requestBoth(block, avoid, signal)
        if (!answer || (rpc.endpoints > 1 && avoid.has(answer.endpoint))) break
        avoid.add(answer.endpoint)
        const [byHash, byNumber] = answer.result
        const numbered = parseHeader(byNumber)
        // A number without a block has the hash of the block below.
        const differs = numbered?.number === block.number && !isSame(numbered)
        const rejectsHash = byHash instanceof RpcError && noHashes.has(byHash.class)
        if (differs) others.push(answer.endpoint)
        else if (isSame(rejectsHash ? numbered : parseHeader(byHash))) agreeing++
      }
      if (agreeing >= 2 || (agreeing === 1 && others.length === 0)) return
      metrics.rpcOmissions.inc({ chain: chain.name, kind: 'header' })
      const reason =
        others.length > 0 ? `${others.join(' and ')} returns another one` : 'no node returns it by its hash'
      throw new InconsistentResponseError({
        chain: chain.name,
        question: `block ${block.number} (${block.hash})`,
        reason,
      })
    },
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
