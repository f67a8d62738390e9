import { toHex } from 'viem'
import type { Hex } from '../../src/util/hex.ts'
import { word } from '../evmSource.ts'
import { RpcFailure, type RpcServerCall } from '../rpcServer.ts'
import type { ScriptedBlock, ScriptedNode } from '../scriptedNode.ts'
import type { Fields } from './peculiarity.ts'

export const allOnes: Hex = `0x${'ff'.repeat(256)}`
export const noBits: Hex = `0x${'00'.repeat(256)}`
export const notFound = (call: RpcServerCall) =>
  new RpcFailure(-32601, `the method ${call.method} does not exist/is not available`)
export const without =
  (...names: string[]) =>
  (fields: Fields) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
export const withFields = (more: Fields) => (fields: Fields) => ({ ...fields, ...more })
/** Sets bloom bits that belong to no log of the block. */
export const withExtraBits = (block: Fields) => ({
  ...block,
  logsBloom:
    block.logsBloom === noBits ? noBits : toHex(BigInt(block.logsBloom as Hex) | (255n << 1_000n), { size: 256 }),
})
export const systemTransaction = word(0x5157)
export const isLogs = (call: RpcServerCall) => call.method === 'eth_getLogs'
export const filterOf = (call: RpcServerCall) =>
  (call.params[0] ?? {}) as { blockHash?: Hex; address?: Hex; topics?: unknown[]; fromBlock?: Hex; toBlock?: Hex }
export const deposit = { type: '0x7e', sourceHash: word(1), mint: '0x0', isSystemTx: true }
export const isTagRejected =
  (message: string, code = -32000) =>
  (call: RpcServerCall) =>
    call.params[0] === 'finalized' ? new RpcFailure(code, message) : undefined

/** Block whose system transaction has a log. */
export const systemBlock = 5

export const widthOf = (call: RpcServerCall) => {
  const { fromBlock, toBlock } = filterOf(call)
  return isLogs(call) && fromBlock !== undefined ? Number(toBlock) - Number(fromBlock) + 1 : 0
}

/** The complete transactions of a block, with these fields and no signature. */
export function wholeTransactions({ hash, logs }: ScriptedBlock, fields: Fields): Fields[] {
  return logs.map((log, i) => ({
    hash: log.transactionHash,
    blockHash: hash,
    transactionIndex: toHex(i),
    from: word(i + 1).slice(0, 42),
    to: null,
    value: '0x0',
    gas: '0x0',
    nonce: '0x0',
    input: '0x',
    ...fields,
  }))
}

/** The log of the system transaction, which eth_getLogs returns together with the chain's logs. */
function systemLog(chain: ScriptedNode, transactionHash: Hex): Fields {
  const block = chain.blocks[systemBlock]!
  return {
    ...block.logs.at(-1),
    topics: [word(0x7e), word(77)],
    transactionHash,
    transactionIndex: '0x2',
    logIndex: '0x2',
  }
}

export function withSystemLog(call: RpcServerCall, chain: ScriptedNode, transactionHash: Hex): unknown {
  if (!isLogs(call)) return undefined
  const { blockHash, fromBlock, toBlock, address } = filterOf(call)
  const log = systemLog(chain, transactionHash)
  const logs = chain.handler()(call, undefined as never) as Fields[]
  const here = blockHash
    ? blockHash === log.blockHash
    : Number(fromBlock) <= systemBlock && systemBlock <= Number(toBlock)
  return here && (address === undefined || address === log.address) ? [...logs, log] : logs
}

export function withShortLog(call: RpcServerCall, chain: ScriptedNode): unknown {
  const logs = chain.handler()(call, undefined as never) as Fields[]
  return logs.length === 0 || filterOf(call).topics?.length !== 2
    ? logs
    : [...logs, { ...logs.at(-1), topics: [word(0x7e)], logIndex: '0x9' }]
}

export function numberedByTransaction(receipts: Fields[]): Fields[] {
  return receipts.map((receipt) => ({
    ...receipt,
    logs: (receipt.logs as Fields[]).map((log, i) => ({ ...log, logIndex: toHex(i) })),
  }))
}

/** The quantities with these names as JSON numbers, as some nodes return them. */
export const asNumbers =
  (...names: string[]) =>
  (fields: Fields): Fields =>
    changed(fields, names, Number)
/** The quantities with these names with a leading zero. */
export const padded =
  (...names: string[]) =>
  (fields: Fields): Fields =>
    changed(fields, names, (text) => text.replace('0x', '0x0'))

/** Every hex text in capitals, at any depth. */
export function inCapitals<T>(value: T): T {
  if (typeof value === 'string') return (value.startsWith('0x') ? `0x${value.slice(2).toUpperCase()}` : value) as T
  if (Array.isArray(value)) return value.map(inCapitals) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inCapitals(inner)])) as T
}

function changed(fields: Fields, names: readonly string[], change: (text: string) => unknown): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      names.includes(name) && typeof value === 'string' ? change(value) : value,
    ]),
  )
}

/** Null if eth_getLogs finds nothing. */
export function nullForNone(call: RpcServerCall, chain: ScriptedNode): unknown {
  const answer = isLogs(call) ? chain.handler()(call, undefined as never) : undefined
  return Array.isArray(answer) && answer.length === 0 ? null : undefined
}

/** Adds a log of the fork that a reorganisation removed to the chain's logs. */
export function withRemovedLog(call: RpcServerCall, chain: ScriptedNode): unknown {
  if (!isLogs(call)) return undefined
  const logs = chain.handler()(call, undefined as never)
  if (!Array.isArray(logs) || logs.length === 0) return logs
  return [{ ...logs[0], removed: true, blockHash: word(0xdead), topics: [word(0x7e), word(78)] }, ...logs]
}
