import type { Metrics } from '../../../metrics/metrics.ts'
import type { Log } from '../../../util/log.ts'
import type { EvmChain } from '../chains.ts'
import { quantityOf } from '../rpc/normalForm.ts'
import { parseHeader } from '../rpc/parseHeader.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { createBlockLogReader } from './blockLogReader.ts'
import { createBlockPartReader } from './blockPartReader.ts'
import { createBlooms } from './bloom.ts'
import { createFinalHeaders, type FinalBlock, unsettledBlocks } from './headers/finalHeaders.ts'
import { createHeaderMemory } from './headers/headerMemory.ts'
import { createHeaderReader, type HeaderReader } from './headers/headerReader.ts'
import { createHeadReader, type HeadReader } from './headers/headReader.ts'
import { createSingleHeaders } from './headers/singleHeaders.ts'
import { createLogNumbering } from './logNumbering.ts'
import { createLogReader, type LogReaderOptions } from './logReader.ts'
import { createRangeCaps, type RangeCaps } from './logWidth.ts'
import { createLogWidths } from './logWidths.ts'
import { createRangeCheck } from './rangeCheck.ts'
import { isOfAddress } from './readLogs.ts'
import { type BlockSettler, createBlockSettler } from './settleBlock.ts'
import type { EvmSource } from './source.ts'
import { InconsistentResponseError } from './sourceError.ts'
import { createTraceReader } from './traceReader.ts'
import { createSenderReader } from './transactionSenders.ts'

export type EvmSourceOptions = {
  /** Closed with the source. */
  rpc: Rpc
  chain: EvmChain
  settings: {
    /** Maximum block range of one eth_getLogs; null: no limit. */
    maxLogRange: number | null
  }
  /** Shared with the contract reader; omitted: its own. */
  caps?: RangeCaps
  metrics: Metrics
  log: Log
}

/** A chain as its nodes report it; every answer is checked against the request and the headers. */
export function createEvmSource(options: EvmSourceOptions): EvmSource {
  const { rpc, chain, settings, metrics, log } = options
  const max = settings.maxLogRange ?? Number.MAX_SAFE_INTEGER
  const endpoints = chain.rpc.length
  const caps = options.caps ?? createRangeCaps({ max, endpoints })
  const blooms = createBlooms()
  const heads = createHeadReader({ rpc, chain, metrics })
  const headers = createHeaderReader({ rpc, chain, metrics })
  const settler = createBlockSettler({ rpc, chain, blooms, metrics, log })
  const finalized = async (signal?: AbortSignal) => heads.lastFinalized() ?? (await heads.read(signal)).finalized
  const gap = () => (heads.lastHead() ?? 0n) - (heads.lastFinalized() ?? 0n) + unsettledBlocks
  const firstUnsettled = () => (heads.lastFinalized() ?? 0n) - unsettledBlocks
  const memory = createHeaderMemory({ reader: headers, gap })
  const single = createSingleHeaders({ rpc, chain, metrics })
  const last = createLastFinal(heads, single)
  const finalHeaders = createFinalHeaders({
    reader: headers,
    memory,
    last: last.read,
    headerUnder: single.headerUnder,
    chain,
    metrics,
  })
  const rangeCheck = createRangeCheck({ headers: finalHeaders, settler, blooms, finalized, metrics, chain })
  const widths = createLogWidths({ max, endpoints, caps })
  const parts = createBlockPartReader({ rpc, chain, metrics })
  const settleOne = createOneBlockSettler({ headers, settler, chain })
  const numbering = createLogNumbering({ settler, headersOf: single.headersOf, chain, log })
  const absent = async (number: bigint, signal?: AbortSignal) =>
    (await headers.read(number, number, signal)).find((header) => header.absent)
  const logs = createLogReader({ rpc, chain, widths, metrics, log, numbering, ...rangeCheck, settleOne, absent })

  return {
    async identity(signal) {
      const options = signal && { signal }
      const { result } = await rpc.together<unknown>(
        [
          { method: 'eth_chainId', params: [] },
          { method: 'eth_getBlockByNumber', params: ['0x0', false] },
        ],
        options,
      )
      const [chainId, block] = result
      if (chainId instanceof Error) throw chainId
      if (block instanceof Error) throw block
      const genesis = parseHeader(block)
      if ((typeof chainId !== 'string' && quantityOf(chainId) === undefined) || !genesis)
        throw new InconsistentResponseError({ chain: chain.name, question: 'identity', reason: 'no block 0' })
      return { chainId: BigInt(chainId as string), genesisHash: genesis.hash }
    },
    head: heads.read,
    headers: finalHeaders.read,
    headersOf: single.headersOf,
    headerUnder: single.headerUnder,
    confirm: single.confirm,
    async headerByHash(hash, signal) {
      const header = await single.headerOfAnyFork(hash, signal)
      if (!header) return undefined
      const { number } = header
      // A lagging node returns none of the newest. For a final number it may return a header of an orphaned fork.
      const [own = (await single.headersOf([{ number }], signal))[0]!] = await finalHeaders.read(number, number, signal)
      return own.hash === hash ? header : undefined
    },
    logs: logs.read,
    blockLogs: createBlockLogReader({ rpc, chain, blooms, settler, numbering, firstUnsettled, metrics }),
    transactions: parts.transactions,
    receipts: parts.receipts,
    senders: createSenderReader(rpc),
    balances: parts.balances,
    internalTransfers: createTraceReader({ rpc, chain, metrics, transactions: parts.transactions }),
    forget() {
      heads.forget()
      last.forget()
      memory.forget()
    },
    close: () => rpc.close(),
  }
}

/** The last final block: as its node reported it, or the block deep enough below the head of its node. */
function createLastFinal(
  heads: HeadReader,
  { headerUnder }: Pick<EvmSource, 'headerUnder'>,
): { read(signal?: AbortSignal): Promise<FinalBlock | undefined>; forget(): void } {
  let known: { requested: bigint; block: FinalBlock } | undefined
  return {
    async read(signal) {
      if (!heads.final()) await heads.read(signal)
      const final = heads.final()
      // Block 0 is the same on all forks.
      if (!final || final.number === 0n) return undefined
      const { number, hash, head } = final
      if (hash !== undefined) return { number, hash }
      if (known?.requested !== number) {
        const block = await headerUnder(head, number, signal)
        known = block && { requested: number, block }
      }
      return known?.block ?? { number, hash: undefined }
    },
    forget() {
      known = undefined
    },
  }
}

/** The logs of one contract in one block, from the block's receipts. `to` of the range is that block. */
function createOneBlockSettler(options: {
  headers: HeaderReader
  settler: BlockSettler
  chain: EvmChain
}): LogReaderOptions['settleOne'] {
  const { headers, settler, chain } = options
  return async (range, signal) => {
    const { topics, to } = range
    const [header] = await headers.read(to, to, signal)
    if (!header)
      throw new InconsistentResponseError({
        chain: chain.name,
        question: `block ${to}`,
        reason: 'no node has its header',
      })
    if (header.absent) return { logs: [], to, toHash: header.hash }
    const logs = await settler.settle(header, topics, {}, signal)
    return { logs: logs.filter((entry) => isOfAddress(entry, range)), to, toHash: header.hash }
  }
}
