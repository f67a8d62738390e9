import type { Metrics } from '../../../metrics.ts'
import type { Hex } from '../../../util/hex.ts'
import type { EvmChain } from '../chains.ts'
import type { Header } from '../rpc/rpc.ts'
import type { HeaderMemory } from './headerMemory.ts'
import type { HeaderReader } from './headerReader.ts'

/** Blocks below the finalized one in which nodes are known to leave logs out, or to stay on a fork that was undone; older ones are taken for good. */
export const doubtfulBlocks = 1_024n

/** A block that cannot be undone any more. `hash` undefined: no node tells it now. */
export type FinalBlock = { number: bigint; hash: Hex | undefined }

/**
 * Headers of which final ones lead up to the last final block, parent hash by parent hash: a node that lags may give those of a fork that
 * was undone, for numbers that are final by now.
 */
export type FinalHeaders = {
  /** As `HeaderReader.read`; none where what the nodes give is not of the chain that is final. */
  read: HeaderReader['read']
  /** As `HeaderMemory.recall`; none where what the nodes give is not of the chain that is final. */
  recall: HeaderMemory['recall']
}

export function createFinalHeaders(options: {
  reader: HeaderReader
  memory: HeaderMemory
  /** The last final block; undefined while none is known. */
  last: (signal?: AbortSignal) => Promise<FinalBlock | undefined>
  chain: EvmChain
  metrics: Metrics
}): FinalHeaders {
  const { reader, memory, last, chain, metrics } = options

  /** Headers from a block up to the last final one; undefined where no node has them. */
  async function upTo(final: FinalBlock, from: bigint, signal?: AbortSignal): Promise<Header[] | undefined> {
    const { number: to, hash: toHash } = final
    if (toHash === undefined) return undefined
    const headers = await memory.recall({ from, to, toHash }, signal)
    const isWhole = BigInt(headers.length) === to - from + 1n
    return isWhole && headers.at(-1)!.hash === toHash ? headers : undefined
  }

  return {
    async read(from, to, signal) {
      const headers = await reader.read(from, to, signal)
      const final = headers.length > 0 ? await last(signal) : undefined
      if (!final || from > final.number || to + doubtfulBlocks < final.number) return headers
      // The highest of those that are final, to which the ones below it lead.
      const top = to < final.number ? headers.at(-1)! : headers[Number(final.number - from)]
      if (!top) return headers
      if (top.number === final.number && top.hash === final.hash) return headers
      const joined = await upTo(final, top.number, signal)
      if (joined?.[0]?.hash === top.hash) return headers
      metrics.rpcOmissions.inc({ chain: chain.name, kind: 'header' })
      const again = joined ? await reader.read(from, to, signal) : []
      return again[Number(top.number - from)]?.hash === joined?.[0]?.hash ? again : []
    },
    async recall(range, signal) {
      const final = await last(signal)
      if (!final || range.to > final.number) return memory.recall(range, signal)
      const headers = await upTo(final, range.from, signal)
      return headers ? headers.slice(0, Number(range.to - range.from) + 1) : []
    },
  }
}
