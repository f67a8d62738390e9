import type { Address, Hex } from '../../../util/hex.ts'
import { quantity } from '../../../util/hex.ts'
import { hash32Of } from '../rpc/normalForm.ts'
import type { Header, InternalTransfer } from '../rpc/rpc.ts'
import { type BlockPartReaderOptions, readPart } from './blockPartReader.ts'
import type { EvmSource } from './source.ts'
import { TracesUnavailableError } from './sourceError.ts'

/** The kind of trace that the nodes returned last, which is requested first: `trace_block` returns flat ones, callTracer trees. */
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
  error?: string | null
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
  error?: string | null
  calls?: Frame[] | null
}

const callTracer = { tracer: 'callTracer' }

/** Internal transfers, from whichever kind of trace the nodes support. */
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
    throw new TracesUnavailableError({ chain: chain.name, reasons: answer.rejected })
  }

  function remember(worked: Style, part: InternalTransfer[] | string): InternalTransfer[] | string {
    if (typeof part !== 'string') style = worked
    return part
  }
}

/** The transferred value, or the reason why the trace is invalid. */
type Moved = Omit<InternalTransfer, 'transactionHash'> | string | undefined

/** Every transaction has a trace of its own, so a missing one is an error. */
function fromFlat(header: Header, hashes: readonly Hex[], answer: unknown): InternalTransfer[] | string {
  if (!Array.isArray(answer)) return 'no traces'
  const seen = new Set<Hex>()
  const failed = new Set<string>()
  const transfers: InternalTransfer[] = []
  // Parents precede their children, so a failed call is known before its own calls.
  for (const trace of answer as FlatTrace[]) {
    if (hash32Of(trace?.blockHash) !== header.hash) return 'traces of another block'
    const { traceAddress = [] } = trace
    const transactionHash = hash32Of(trace.transactionHash)
    if (!transactionHash) continue
    if (!Array.isArray(traceAddress)) return 'a trace without its place'
    seen.add(transactionHash)
    const at = `${transactionHash} ${traceAddress.join(' ')}`
    const parent = `${transactionHash} ${traceAddress.slice(0, -1).join(' ')}`
    if (hasFailed(trace) || (traceAddress.length > 0 && failed.has(parent))) {
      failed.add(at)
      continue
    }
    const moved = traceAddress.length > 0 ? movedBy(trace) : undefined
    if (typeof moved === 'string') return moved
    if (moved && moved.value > 0n) transfers.push({ transactionHash, ...moved })
  }
  const missing = hashes.find((hash) => !seen.has(hash))
  return missing ? `no trace of transaction ${missing}` : transfers
}

function movedBy({ type, action, result }: FlatTrace): Moved {
  if (typeof action !== 'object' || action === null) return 'a trace without its action'
  const { callType, from, to, value, gas } = action
  if (type === 'suicide' && action.address && action.refundAddress)
    return moved(action.address, action.refundAddress, action.balance)
  if (type === 'create' && from && result?.address) return moved(from, result.address, value, gas)
  return type === 'call' && callType === 'call' && from && to ? moved(from, to, value, gas) : undefined
}

function fromTrees(hashes: readonly Hex[], answer: unknown): InternalTransfer[] | string {
  if (!Array.isArray(answer)) return 'no traces'
  if (answer.length !== hashes.length) return `traces of ${answer.length} transactions of ${hashes.length}`
  const transfers: InternalTransfer[] = []
  for (const [i, entry] of (answer as { txHash?: Hex; result?: Frame }[]).entries()) {
    const transactionHash = hashes[i]!
    if (entry?.txHash !== undefined && hash32Of(entry.txHash) !== transactionHash) return 'traces of other transactions'
    if (!entry?.result) return `no trace of transaction ${transactionHash}`
    const fault = hasFailed(entry.result) ? undefined : walk(entry.result, transactionHash, transfers)
    if (fault !== undefined) return fault
  }
  return transfers
}

const moving = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])

/** Most nested calls that the EVM allows. */
const deepest = 1_024

/** Adds the transfers within a frame to `transfers`; returns why the frame is invalid, if it is. */
function walk(frame: Frame, transactionHash: Hex, transfers: InternalTransfer[], depth = 0): string | undefined {
  const calls = frame.calls ?? []
  if (!Array.isArray(calls) || depth > deepest) return 'a trace whose calls are not a list of calls'
  for (const call of calls) {
    if (typeof call !== 'object' || call === null) return 'a trace whose calls are not a list of calls'
    if (hasFailed(call)) continue
    if (moving.has(call.type) && call.to) {
      const found = moved(call.from, call.to, call.value, call.gas)
      if (typeof found === 'string') return found
      if (found.value > 0n) transfers.push({ transactionHash, ...found })
    }
    const fault = walk(call, transactionHash, transfers, depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Whether a trace failed; some nodes write a null error for a successful one. */
function hasFailed({ error }: { error?: string | null }): boolean {
  return error !== undefined && error !== null
}

const address20 = /^0x[0-9a-f]{40}$/i
const number256 = /^0x[0-9a-f]{0,64}$/i

/** The transfer of a call, or the error as text. Nodes omit a zero amount, or write it as 0x. */
function moved(from: Address, to: Address, value: Hex = '0x0', gas: Hex = '0x0'): Exclude<Moved, undefined> {
  if (!address20.test(from) || !address20.test(to)) return 'a trace between no addresses'
  if (!number256.test(value) || !number256.test(gas)) return 'a trace of an amount that is not a number'
  return {
    from: from.toLowerCase() as Address,
    to: to.toLowerCase() as Address,
    value: BigInt(value === '0x' ? 0 : value),
    gas: BigInt(gas === '0x' ? 0 : gas),
  }
}
