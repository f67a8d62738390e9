import type { Metrics } from '../../../../metrics/metrics.ts'
import type { Hex } from '../../../../util/hex.ts'
import type { EvmChain } from '../../chains.ts'
import type { Header } from '../../rpc/rpc.ts'
import type { EvmSource } from '../source.ts'
import { InconsistentResponseError } from '../sourceError.ts'
import type { HeaderMemory } from './headerMemory.ts'
import type { HeaderReader } from './headerReader.ts'

/** Blocks below the finalized one for which nodes are known to omit logs, or to stay on an orphaned fork. Older blocks are not checked again. */
export const unsettledBlocks = 1_024n

/** A block that can no longer be reorganised. `hash` undefined: no node reports it now. */
export type FinalBlock = { number: bigint; hash: Hex | undefined }

/**
 * Headers that are on the final chain as far as their numbers are final. A lagging node may return headers of an orphaned fork for numbers that are
 * final by now. The highest of them is checked against a node that has the last final block, and links to those below it by its parent hash.
 */
export type FinalHeaders = {
  /** As `HeaderReader.read`. Throws InconsistentResponseError if the nodes' headers are not on the final chain. */
  read: HeaderReader['read']
  /** As `HeaderMemory.recall`; none if the nodes' headers are not on the final chain. */
  recall: HeaderMemory['recall']
  /** As `HeaderMemory.foresee`. */
  foresee: HeaderMemory['foresee']
}

export function createFinalHeaders(options: {
  reader: HeaderReader
  memory: HeaderMemory
  /** The last final block; undefined while none is known. */
  last: (signal?: AbortSignal) => Promise<FinalBlock | undefined>
  headerUnder: EvmSource['headerUnder']
  chain: EvmChain
  metrics: Metrics
}): FinalHeaders {
  const { reader, memory, last, headerUnder, chain, metrics } = options

  /** Whether the linked headers are on the final chain as far as their numbers are final. */
  async function isFinal(headers: readonly Header[], signal?: AbortSignal): Promise<boolean> {
    const final = await last(signal)
    if (!final || headers[0]!.number > final.number) return true
    const top = headers.findLast(({ number }) => number <= final.number)!
    if (top.number + unsettledBlocks < final.number) return true
    const { number, hash } = final
    if (hash === undefined) return false
    if (top.number === number) return top.hash === hash
    return (await headerUnder({ number, hash }, top.number, signal))?.hash === top.hash
  }

  /** Remembers the headers, as collections that catch up with the head need the followed ones. undefined: they are not on the final chain. */
  async function checked(headers: Header[], signal?: AbortSignal): Promise<Header[] | undefined> {
    if (headers.length > 0 && !(await isFinal(headers, signal))) return undefined
    memory.remember(headers)
    return headers
  }

  return {
    foresee: memory.foresee,
    async read(from, to, signal) {
      const headers = await checked(await reader.read(from, to, signal), signal)
      if (headers) return headers
      metrics.rpcOmissions.inc({ chain: chain.name, kind: 'header' })
      const again = await checked(await reader.read(from, to, signal), signal)
      if (again) return again
      const reason = `they are not of the chain whose block ${(await last(signal))?.number} is final, as far as nodes show`
      throw new InconsistentResponseError({ chain: chain.name, question: `blocks ${from} to ${to}`, reason })
    },
    async recall(range, signal) {
      const headers = await memory.recall(range, signal)
      return headers.length === 0 || (await isFinal(headers, signal)) ? headers : []
    },
  }
}
