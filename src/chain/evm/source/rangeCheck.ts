import type { Metrics } from '../../../metrics/metrics.ts'
import { larger } from '../../../util/extremes.ts'
import type { EvmChain } from '../chains.ts'
import type { RpcLog } from '../rpc/rpc.ts'
import { type Blooms, headerBloom, isEmptyBloom } from './bloom.ts'
import { type FinalHeaders, unsettledBlocks } from './headers/finalHeaders.ts'
import type { LogReaderOptions } from './logReader.ts'
import { isOfAddress } from './readLogs.ts'
import type { RangeLogs } from './requestLogs.ts'
import { byPlace } from './sameLogs.ts'
import type { BlockSettler } from './settleBlock.ts'
import type { LogRange } from './source.ts'

export type RangeCheckOptions = {
  headers: Pick<FinalHeaders, 'foresee' | 'recall'>
  settler: BlockSettler
  blooms: Blooms
  /** The latest known finalized block. */
  finalized: (signal?: AbortSignal) => Promise<bigint>
  chain: EvmChain
  metrics: Metrics
}

/**
 * `complete` checks the logs of a range near the head against the blooms of its headers. If a bloom has the address but the answer has no log of that
 * block, the block's receipts decide. Missing logs are added to the answer.
 */
export function createRangeCheck(
  options: RangeCheckOptions,
): Pick<LogReaderOptions, 'complete' | 'foresee' | 'lastSettled'> {
  const { headers, settler, blooms, chain, metrics } = options

  async function check(range: LogRange, found: RangeLogs, from: bigint, signal?: AbortSignal) {
    const known = await headers.recall({ from, to: range.to, toHash: found.toHash }, signal)
    if (known.length !== Number(range.to - from) + 1) return { missing: 'headers of the range are missing' }
    if (known.at(-1)!.hash !== found.toHash) return { missing: `another block ${range.to} than its header` }
    const hashes = new Map<number, string>()
    for (const log of found.logs) hashes.set(Number(log.blockNumber), log.blockHash)
    const missed: RpcLog[] = []
    const settled = new Set<number>()
    /** All blocks have a bloom, and at least one is not empty, unlike on chains without blooms. */
    let [reportsAll, reportsAny] = [true, false]
    for (const header of known) {
      const hash = hashes.get(Number(header.number))
      if (hash !== undefined && hash !== header.hash) return { missing: `logs of another block ${header.number}` }
      const bloom = headerBloom(chain, header)
      if (!bloom) reportsAll = false
      else if (!isEmptyBloom(bloom)) reportsAny = true
      if (hash === undefined && mayHave(blooms, bloom, range)) {
        const logs = await settler.settle(header, range.topics, {}, signal)
        for (const log of logs) if (isOfAddress(log, range)) missed.push(log)
        settled.add(Number(header.number))
      }
    }
    if (missed.length > 0) {
      metrics.rpcOmissions.inc({ chain: chain.name, kind: 'range_logs' })
      for (const log of missed) found.logs.push(log)
      found.logs.sort(byPlace)
    }
    return { isWhole: from === range.from && reportsAll && reportsAny, settled }
  }

  /** The first block of a range whose header is checked against the logs; undefined: there is none. */
  async function firstChecked({ from, to }: LogRange, signal?: AbortSignal): Promise<bigint | undefined> {
    const finalized = await options.finalized(signal)
    if (to + unsettledBlocks < finalized) return undefined
    return larger(from, finalized > unsettledBlocks ? finalized - unsettledBlocks : 0n)
  }

  return {
    lastSettled: async (signal) => (await options.finalized(signal)) - unsettledBlocks - 1n,
    async foresee(range, signal) {
      const from = await firstChecked(range, signal).catch(() => undefined)
      if (from !== undefined) await headers.foresee(from, range.to, signal)
    },
    async complete(range, found, signal) {
      const from = await firstChecked(range, signal)
      return from === undefined ? { isWhole: false, settled: new Set() } : check(range, found, from, signal)
    },
  }
}

function mayHave(blooms: Blooms, bloom: Uint8Array | undefined, { address, topics }: LogRange): boolean {
  if (bloom === undefined || (address && !blooms.hits(bloom, address))) return false
  return topics.every((place) => !place || place.some((topic) => blooms.hits(bloom, topic)))
}
