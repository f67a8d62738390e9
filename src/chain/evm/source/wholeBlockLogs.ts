import type { Metrics } from '../../../metrics.ts'
import { type Hex, quantity } from '../../../util/hex.ts'
import type { EvmChain } from '../chains.ts'
import type { Header, Rpc, RpcLog } from '../rpc/rpc.ts'
import { readReceiptsSingly, readTransactionHashes } from './blockTransactions.ts'
import { checkLogs } from './checkLogs.ts'
import { notOffered, tryWay, type Way } from './tryWays.ts'

export type WholeBlockOptions = { rpc: Rpc; chain: EvmChain; metrics: Metrics }

/** All logs of one block as one endpoint gave them, each shown to be of this block. */
export type WholeBlockLogs = {
  kind: 'receipts' | 'block_logs'
  endpoint: string
  logs: RpcLog[]
  /** Hashes of the transactions whose receipts came, in their order; empty where logs came. */
  receiptsOf: Hex[]
}

type LogsRead = Pick<WholeBlockLogs, 'logs' | 'receiptsOf'>

type WholeBlockWay = Way<LogsRead> & Pick<WholeBlockLogs, 'kind'>

type Receipt = { transactionHash?: unknown; blockHash?: unknown; logs?: unknown }

/**
 * Asks nodes for all logs of a block in every way and gives each right answer, for as long as the caller asks for more: the receipts
 * by the block's hash, or by its number where the hash is refused; the logs by hash, then by number; where no receipts came, the
 * receipts one by one. Endpoints in `doubted` are asked last. `reasons` gets what was wrong with other answers.
 */
export async function* wholeBlockLogs(
  options: WholeBlockOptions,
  header: Header,
  doubted: ReadonlySet<string>,
  reasons: unknown[],
  signal?: AbortSignal,
): AsyncGenerator<WholeBlockLogs> {
  const { rpc, chain, metrics } = options
  const rest = (avoid: ReadonlySet<string>) => ({ avoid, ...(signal && { signal }) })
  const byHash = call('receipts', 'eth_getBlockReceipts', [header.hash])
  const byNumber = call('receipts', 'eth_getBlockReceipts', [quantity(header.number)])
  const logsByHash = call('block_logs', 'eth_getLogs', [{ blockHash: header.hash }])
  const at = quantity(header.number)
  // Another path in the node: ethermint gives nothing by hash where no address is named (evmos/ethermint#861).
  const logsByNumber = call('block_logs', 'eth_getLogs', [{ fromBlock: at, toBlock: at }])
  const singly = way('receipts', 'eth_getTransactionReceipt', askSingly)

  function way(kind: WholeBlockLogs['kind'], method: string, ask: WholeBlockWay['ask']): WholeBlockWay {
    const read = kind === 'receipts' ? readReceipts : readLogs
    return { kind, method, ask, read: (result) => read(header, result) }
  }

  function call(kind: WholeBlockLogs['kind'], method: string, params: readonly unknown[]): WholeBlockWay {
    return way(kind, method, (avoid) => rpc.ask<unknown>(method, params, rest(avoid)))
  }

  async function askSingly(avoid: ReadonlySet<string>) {
    const hashes = await readTransactionHashes(rpc, header, rest(avoid))
    return { result: hashes && (await readReceiptsSingly(rpc, hashes, rest(avoid))), endpoint: 'all nodes' }
  }

  let hashRefused = false
  let receipts = false
  for (const tried of [byHash, byNumber, logsByHash, logsByNumber, singly]) {
    if ((tried === byNumber && !hashRefused) || (tried === singly && receipts)) continue
    const answers = tryWay(tried, {
      attempts: tried === singly ? 1 : Math.max(2, rpc.endpoints),
      avoid: new Set(doubted),
      reasons,
      onWrong: () => metrics.rpcOmissions.inc({ chain: chain.name, kind: tried.kind }),
      isRefusal: (fault) => notOffered.has(fault.class),
    })
    let next = await answers.next()
    for (; !next.done; next = await answers.next()) {
      if (tried.kind === 'receipts') receipts = true
      const { result, endpoint } = next.value
      yield { kind: tried.kind, endpoint, ...result }
    }
    if (tried === byHash) hashRefused = next.value.refused
  }
}

function readLogs(header: Header, answer: unknown): LogsRead | string {
  const number = Number(header.number)
  const fault = checkLogs(answer, { topics: [], from: number, to: number, blockHash: header.hash })
  return fault ?? { logs: answer as RpcLog[], receiptsOf: [] }
}

function readReceipts(header: Header, answer: unknown): LogsRead | string {
  if (!Array.isArray(answer)) return 'no receipts'
  const receipts = answer as Receipt[]
  if (receipts.length < header.transactionCount)
    return `${receipts.length} receipts for ${header.transactionCount} transactions`
  for (const receipt of receipts) {
    if (typeof receipt?.blockHash !== 'string' || receipt.blockHash.toLowerCase() !== header.hash)
      return 'receipts of another block'
    if (!Array.isArray(receipt.logs) || receipt.logs.includes(null)) return 'a receipt without logs'
  }
  const read = readLogs(header, logsOfReceipts(receipts.map((receipt) => receipt.logs as RpcLog[])))
  if (typeof read === 'string') return read
  return { ...read, receiptsOf: receipts.map((receipt) => String(receipt.transactionHash).toLowerCase() as Hex) }
}

/**
 * Logs in the order of their receipts. Some nodes number the logs of each receipt from 0 instead of through the block: where every
 * receipt does so, the logs are numbered again.
 */
function logsOfReceipts(receipts: readonly RpcLog[][]): RpcLog[] {
  const logs = receipts.flat()
  const speaking = receipts.filter((own) => own.length > 0)
  if (speaking.length > 1 && speaking.every((own) => Number(own[0]?.logIndex) === 0))
    for (const [i, log] of logs.entries()) log.logIndex = quantity(i)
  return logs
}
