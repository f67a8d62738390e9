import type { Metrics } from '../../../metrics/metrics.ts'
import { type Hex, quantity } from '../../../util/hex.ts'
import type { EvmChain } from '../chains.ts'
import { hash32Of } from '../rpc/normalForm.ts'
import type { Header, Rpc, RpcLog } from '../rpc/rpc.ts'
import { readReceiptsSingly, readTransactionHashes } from './blockTransactions.ts'
import { readLogs } from './readLogs.ts'
import { notOffered, tryWay, type Way } from './tryWays.ts'

export type WholeBlockOptions = { rpc: Rpc; chain: EvmChain; metrics: Metrics }

/** All logs of one block from one endpoint, each checked to be of this block. */
export type WholeBlockLogs = {
  kind: 'receipts' | 'block_logs'
  endpoint: string
  logs: RpcLog[]
  /** Hashes of the transactions of the received receipts, in order; empty if logs were received. */
  receiptsOf: Hex[]
  /** The node's log indexes are wrong: it counts in its own way, or returned logs of another block. */
  misnumbered: boolean
}

type LogsRead = Pick<WholeBlockLogs, 'logs' | 'receiptsOf' | 'misnumbered'>

type WholeBlockWay = Way<LogsRead> & Pick<WholeBlockLogs, 'kind'>

type Receipt = { transactionHash?: unknown; blockHash?: unknown; logs?: unknown }

/**
 * Queries nodes for all logs of a block in every way, and yields each valid answer as the caller requests more. First come the receipts by the
 * block's hash, or by its number if hashes are rejected. Then come the logs by hash and by number. Without receipts of a block, the receipts are read
 * one by one. Endpoints in `inconsistent` are queried last. `reasons` collects the errors of other answers.
 */
export async function* wholeBlockLogs(
  options: WholeBlockOptions,
  header: Header,
  inconsistent: ReadonlySet<string>,
  reasons: unknown[],
  signal?: AbortSignal,
): AsyncGenerator<WholeBlockLogs> {
  const { rpc, chain, metrics } = options
  const requestOptions = (avoid: ReadonlySet<string>) => ({ avoid, ...(signal && { signal }) })
  const byHash = call('receipts', 'eth_getBlockReceipts', [header.hash])
  const byNumber = call('receipts', 'eth_getBlockReceipts', [quantity(header.number)])
  const logsByHash = call('block_logs', 'eth_getLogs', [{ blockHash: header.hash }])
  const at = quantity(header.number)
  // Another code path in the node: ethermint returns nothing by hash without an address (evmos/ethermint#861).
  const logsByNumber = call('block_logs', 'eth_getLogs', [{ fromBlock: at, toBlock: at }])
  const singly = way('receipts', 'eth_getTransactionReceipt', requestSingly)

  function way(kind: WholeBlockLogs['kind'], method: string, request: WholeBlockWay['request']): WholeBlockWay {
    const read = kind === 'receipts' ? readReceipts : readBlockLogs
    return { kind, method, request, read: (result) => read(header, result) }
  }

  function call(kind: WholeBlockLogs['kind'], method: string, params: readonly unknown[]): WholeBlockWay {
    return way(kind, method, (avoid) => rpc.request<unknown>(method, params, requestOptions(avoid)))
  }

  async function requestSingly(avoid: ReadonlySet<string>) {
    const hashes = await readTransactionHashes(rpc, header, requestOptions(avoid))
    return { result: hashes && (await readReceiptsSingly(rpc, hashes, requestOptions(avoid))), endpoint: 'all nodes' }
  }

  let isHashRejected = false
  let receipts = false
  for (const tried of [byHash, byNumber, logsByHash, logsByNumber, singly]) {
    if ((tried === byNumber && !isHashRejected) || (tried === singly && receipts)) continue
    const answers = tryWay(tried, {
      attempts: tried === singly ? 1 : Math.max(2, rpc.endpoints),
      avoid: new Set(inconsistent),
      reasons,
      judge: rpc.judge,
      onWrong: () => metrics.rpcOmissions.inc({ chain: chain.name, kind: tried.kind }),
      isRejection: (fault) => notOffered.has(fault.class),
    })
    let next = await answers.next()
    for (; !next.done; next = await answers.next()) {
      if (tried.kind === 'receipts') receipts = true
      const { result, endpoint } = next.value
      yield { kind: tried.kind, endpoint, ...result }
    }
    if (tried === byHash) isHashRejected = next.value.rejected
  }
}

function readBlockLogs(header: Header, answer: unknown): LogsRead | string {
  const number = Number(header.number)
  let misnumbered = false
  const logs = readLogs(answer, { topics: [], from: number, to: number, blockHash: header.hash }, () => {
    misnumbered = true
  })
  return typeof logs === 'string' ? logs : { logs, receiptsOf: [], misnumbered }
}

function readReceipts(header: Header, answer: unknown): LogsRead | string {
  if (!Array.isArray(answer)) return 'no receipts'
  const receipts = answer as Receipt[]
  if (receipts.length < header.transactionCount)
    return `${receipts.length} receipts for ${header.transactionCount} transactions`
  const lists: RpcLog[][] = []
  for (const receipt of receipts) {
    if (hash32Of(receipt?.blockHash) !== header.hash) return 'receipts of another block'
    const logs = receipt.logs ?? []
    if (!Array.isArray(logs) || logs.some((log) => typeof log !== 'object' || log === null))
      return 'a receipt without logs'
    lists.push(logs)
  }
  const read = readBlockLogs(header, logsOfReceipts(lists))
  if (typeof read === 'string') return read
  return { ...read, receiptsOf: receipts.map((receipt) => String(receipt.transactionHash).toLowerCase() as Hex) }
}

/**
 * Logs in the order of their receipts. Some nodes count from 0 in each receipt or message: if indexes do not increase through the block, the logs are
 * numbered in that order.
 */
function logsOfReceipts(receipts: readonly RpcLog[][]): RpcLog[] {
  const logs = receipts.flat()
  const speaking = receipts.filter((own) => own.length > 0)
  const restarts = speaking.length > 1 && speaking.every((own) => Number(own[0]?.logIndex) === 0)
  const rises = logs.every((log, i) => i === 0 || Number(log.logIndex) > Number(logs[i - 1]!.logIndex))
  if (restarts || !rises) for (const [i, log] of logs.entries()) log.logIndex = quantity(i)
  return logs
}
