import type { Address, Hex } from '../../util/hex.ts'
import { quantity } from '../../util/hex.ts'
import { type BlockPartReaderOptions, readPart } from './blockPartReader.ts'
import type { Header, InternalTransfer } from './rpc.ts'
import type { EvmSource } from './source.ts'
import { TracesUnavailableError } from './sourceError.ts'

/** How a node that offers one way only is asked next. */
type Style = 'flat' | 'tree'

/** A trace of `trace_block` (OpenEthereum's format). */
type FlatTrace = {
  type: string
  action: {
    callType?: string
    from?: Address
    to?: Address
    value?: Hex
    gas?: Hex
    address?: Address
    refundAddress?: Address
    balance?: Hex
  }
  result?: { address?: Address } | null
  error?: string
  blockHash?: Hex
  transactionHash?: Hex | null
  traceAddress?: number[]
}

/** A frame of geth's callTracer. */
type Frame = {
  type: string
  from: Address
  to?: Address
  value?: Hex
  gas?: Hex
  error?: string
  calls?: Frame[]
}

const callTracer = { tracer: 'callTracer' }

/** What moved inside of transactions, from whichever kind of trace the nodes offer. */
export function createTraceReader(
  options: BlockPartReaderOptions & { transactions: EvmSource['transactions'] },
): EvmSource['internalTransfers'] {
  const { chain, transactions } = options
  let style: Style | undefined

  return async (header, signal) => {
    if (header.transactionCount === 0) return []
    const hashes = (await transactions(header, signal)).map(({ hash }) => hash)
    const flat = {
      method: 'trace_block',
      params: [quantity(header.number)],
      read: (answer: unknown) => remember('flat', fromFlat(header, hashes, answer)),
    }
    const trees = [
      { method: 'debug_traceBlockByHash', params: [header.hash, callTracer] },
      { method: 'debug_traceBlockByNumber', params: [quantity(header.number), callTracer] },
    ].map((way) => ({ ...way, read: (answer: unknown) => remember('tree', fromTrees(hashes, answer)) }))
    const answer = await readPart(options, header, style === 'tree' ? [...trees, flat] : [flat, ...trees], signal)
    if ('part' in answer) return answer.part
    throw new TracesUnavailableError({ chain: chain.name, reasons: answer.refused })
  }

  function remember(worked: Style, part: InternalTransfer[] | string): InternalTransfer[] | string {
    if (typeof part !== 'string') style = worked
    return part
  }
}

/** Every transaction has a trace of its own: one that has none was left out. */
function fromFlat(header: Header, hashes: readonly Hex[], answer: unknown): InternalTransfer[] | string {
  if (!Array.isArray(answer)) return 'no traces'
  const seen = new Set<Hex>()
  const failed = new Set<string>()
  const transfers: InternalTransfer[] = []
  // Parents come before their children, so a failed call is known when its own calls come.
  for (const trace of answer as FlatTrace[]) {
    if (trace?.blockHash !== header.hash) return 'traces of another block'
    const { transactionHash, traceAddress = [] } = trace
    if (!transactionHash) continue
    seen.add(transactionHash)
    const at = `${transactionHash} ${traceAddress.join(' ')}`
    const parent = `${transactionHash} ${traceAddress.slice(0, -1).join(' ')}`
    if (trace.error !== undefined || (traceAddress.length > 0 && failed.has(parent))) {
      failed.add(at)
      continue
    }
    const moved = traceAddress.length > 0 ? movedBy(trace) : undefined
    if (moved && moved.value > 0n) transfers.push({ transactionHash, ...moved })
  }
  const missing = hashes.find((hash) => !seen.has(hash))
  return missing ? `no trace of transaction ${missing}` : transfers
}

function movedBy({ type, action, result }: FlatTrace): Omit<InternalTransfer, 'transactionHash'> | undefined {
  const { callType, from, to, value, gas = '0x0' } = action
  if (type === 'suicide' && action.address && action.refundAddress)
    return moved(action.address, action.refundAddress, action.balance, '0x0')
  if (type === 'create' && from && result?.address) return moved(from, result.address, value, gas)
  return type === 'call' && callType === 'call' && from && to ? moved(from, to, value, gas) : undefined
}

function fromTrees(hashes: readonly Hex[], answer: unknown): InternalTransfer[] | string {
  if (!Array.isArray(answer)) return 'no traces'
  if (answer.length !== hashes.length) return `traces of ${answer.length} transactions of ${hashes.length}`
  const transfers: InternalTransfer[] = []
  for (const [i, entry] of (answer as { txHash?: Hex; result?: Frame }[]).entries()) {
    const transactionHash = hashes[i]!
    if (entry?.txHash !== undefined && entry.txHash !== transactionHash) return 'traces of other transactions'
    if (!entry?.result) return `no trace of transaction ${transactionHash}`
    if (entry.result.error === undefined) walk(entry.result, transactionHash, transfers)
  }
  return transfers
}

const moving = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])

function walk(frame: Frame, transactionHash: Hex, transfers: InternalTransfer[]): void {
  for (const call of frame.calls ?? []) {
    if (call.error !== undefined) continue
    if (moving.has(call.type) && call.to) {
      const found = moved(call.from, call.to, call.value, call.gas)
      if (found.value > 0n) transfers.push({ transactionHash, ...found })
    }
    walk(call, transactionHash, transfers)
  }
}

function moved(from: Address, to: Address, value: Hex = '0x0', gas: Hex = '0x0') {
  return {
    from: from.toLowerCase() as Address,
    to: to.toLowerCase() as Address,
    value: BigInt(value),
    gas: BigInt(gas),
  }
}
