import type { Metrics } from '../../../metrics/metrics.ts'
import { quantity } from '../../../util/hex.ts'
import type { EvmChain } from '../chains.ts'
import { addressOf, dataOf, hash32Of, quantityOf } from '../rpc/normalForm.ts'
import type { Header, Rpc, RpcCall, RpcReceipt, RpcTransaction } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'
import { readReceiptsSingly } from './blockTransactions.ts'
import type { EvmSource } from './source.ts'
import { BlockUnsettledError, detailOf, InconsistentResponseError } from './sourceError.ts'
import { notOffered, tryWays, type Way } from './tryWays.ts'

export type BlockPartReaderOptions = { rpc: Rpc; chain: EvmChain; metrics: Metrics }

export type BlockPartReader = Pick<EvmSource, 'transactions' | 'receipts' | 'balances'>

/** A call for a part of a block: `read` returns the part, or the reason why the answer is invalid. */
export type PartCall<T> = RpcCall & Pick<Way<T>, 'read'>

/**
 * Tries the calls in order, each at further nodes while the answer is invalid. `rejected`: the nodes support none of the calls, with their messages.
 * Throws BlockUnsettledError if a call is supported but no answer is valid.
 */
export async function readPart<T>(
  options: BlockPartReaderOptions,
  header: Header,
  calls: readonly PartCall<T>[],
  signal?: AbortSignal,
): Promise<{ part: T } | { rejected: string[] }> {
  const { rpc, chain, metrics } = options
  const reasons: unknown[] = []
  const isRejection = (reason: unknown) => reason instanceof RpcError && notOffered.has(reason.class)
  const ways = calls.map(({ method, params, read }) => ({
    method,
    request: (avoid: ReadonlySet<string>) => rpc.request<unknown>(method, params, { avoid, ...(signal && { signal }) }),
    read,
  }))
  const answer = await tryWays(ways, () => ({
    attempts: Math.max(2, rpc.endpoints),
    avoid: new Set(),
    reasons,
    judge: rpc.judge,
    onWrong: () => metrics.rpcOmissions.inc({ chain: chain.name, kind: 'block_part' }),
    isRejection,
  }))
  if (answer) return { part: answer.result }
  if (reasons.every(isRejection)) return { rejected: detailOf(reasons) }
  metrics.rpcOmissions.inc({ chain: chain.name, kind: 'unsettled' })
  throw new BlockUnsettledError({ chain: chain.name, block: header, reasons })
}

/** Zero is 0x0. An empty 0x is no number: it would show a balance of 0 that the node did not return. */
const balanceText = /^0x[0-9a-fA-F]{1,64}$/

/**
 * Transactions and receipts of blocks, checked to be complete. Balances do not identify their block: they are requested by its hash, and by its
 * number only if a node rejects hashes.
 */
export function createBlockPartReader(options: BlockPartReaderOptions): BlockPartReader {
  const { rpc, chain } = options

  async function read<T>(header: Header, calls: readonly PartCall<T>[], signal?: AbortSignal): Promise<T> {
    const answer = await readPart(options, header, calls, signal)
    if ('part' in answer) return answer.part
    throw new BlockUnsettledError({ chain: chain.name, block: header, reasons: answer.rejected })
  }

  const transactions: EvmSource['transactions'] = async (header, signal) => {
    if (header.transactionCount === 0) return []
    const readAnswer = (answer: unknown) => checkTransactions(header, answer)
    return read(
      header,
      [
        { method: 'eth_getBlockByHash', params: [header.hash, true], read: readAnswer },
        { method: 'eth_getBlockByNumber', params: [quantity(header.number), true], read: readAnswer },
      ],
      signal,
    )
  }

  /** The receipts one by one, if no node returns all receipts of a block. */
  async function singly(header: Header, signal?: AbortSignal): Promise<RpcReceipt[]> {
    const hashes = (await transactions(header, signal)).map(({ hash }) => hash)
    const receipts = checkReceipts(header, await readReceiptsSingly(rpc, hashes, signal ? { signal } : {}))
    if (typeof receipts !== 'string') return receipts
    throw new BlockUnsettledError({ chain: chain.name, block: header, reasons: [receipts] })
  }

  return {
    transactions,
    async receipts(header, signal) {
      if (header.transactionCount === 0) return []
      const readAnswer = (answer: unknown) => checkReceipts(header, answer)
      const calls = [header.hash, quantity(header.number)].map((at) => ({
        method: 'eth_getBlockReceipts',
        params: [at],
        read: readAnswer,
      }))
      try {
        const answer = await readPart(options, header, calls, signal)
        return 'part' in answer ? answer.part : await singly(header, signal)
      } catch (error) {
        // Some nodes fail at a block's receipts but return each of them (0xPolygon/bor#1654).
        if (!(error instanceof BlockUnsettledError)) throw error
        return await singly(header, signal).catch(() => Promise.reject(error))
      }
    },
    async balances(header, addresses, signal) {
      if (addresses.length === 0) return []
      const at = { blockHash: header.hash }
      const calls = addresses.map((address) => ({ method: 'eth_getBalance', params: [address, at] }))
      let answers = await rpc.batch<unknown>(calls, signal && { signal })
      // Not every node accepts a block hash here (EIP-1898).
      if (answers.some((answer) => answer instanceof RpcError && notOffered.has(answer.class)))
        answers = await rpc.batch<unknown>(
          calls.map(({ method, params }) => ({ method, params: [params[0], quantity(header.number)] })),
          signal && { signal },
        )
      return answers.map((answer) => {
        if (answer instanceof Error) throw answer
        if (typeof answer !== 'string' || !balanceText.test(answer))
          throw new InconsistentResponseError({ chain: chain.name, question: 'eth_getBalance', reason: 'no number' })
        return BigInt(answer)
      })
    },
  }
}

function checkTransactions(header: Header, answer: unknown): RpcTransaction[] | string {
  const block = answer as { hash?: unknown; transactions?: unknown } | null
  if (hash32Of(block?.hash) !== header.hash) return 'not this block'
  if (!Array.isArray(block?.transactions)) return 'a block without transactions'
  const transactions = block.transactions as RpcTransaction[]
  if (transactions.length !== header.transactionCount)
    return `${transactions.length} transactions of ${header.transactionCount}`
  for (const transaction of transactions) {
    const hash = hash32Of(transaction?.hash)
    if (hash === undefined) return 'no transaction'
    const from = addressOf(transaction.from)
    if (from === undefined) return 'a transaction without sender'
    const numbers = withQuantities(transaction, transactionQuantities)
    if (numbers !== undefined) return numbers
    const { to, input } = transaction
    Object.assign(transaction, { hash, from, to: addressOf(to) ?? null, input: dataOf(input) ?? input })
  }
  return transactions
}

const transactionQuantities = ['transactionIndex', 'value', 'gas', 'gasPrice', 'nonce', 'type', 'v', 'r', 's'] as const
const receiptQuantities = ['cumulativeGasUsed', 'gasUsed', 'status'] as const

/** Converts quantities that some nodes write as JSON numbers to hex text. Returns a message if a number is not exact. */
function withQuantities<K extends string>(fields: { [key in K]?: unknown }, names: readonly K[]): string | undefined {
  for (const name of names) {
    if (typeof fields[name] !== 'number') continue
    const text = quantityOf(fields[name])
    if (text === undefined) return `${name} is ${fields[name]}`
    fields[name] = text
  }
  return undefined
}

function checkReceipts(header: Header, answer: unknown): RpcReceipt[] | string {
  if (!Array.isArray(answer)) return 'no receipts'
  // Polygon counts the receipt of its system transaction, which is in no block.
  if (answer.length < header.transactionCount) return `${answer.length} receipts of ${header.transactionCount}`
  for (const receipt of answer as RpcReceipt[]) {
    if (hash32Of(receipt?.blockHash) !== header.hash) return 'receipts of another block'
    const transactionHash = hash32Of(receipt.transactionHash)
    if (transactionHash === undefined) return 'a receipt of no transaction'
    const numbers = withQuantities(receipt, receiptQuantities)
    if (numbers !== undefined) return numbers
    Object.assign(receipt, { transactionHash, blockHash: header.hash })
  }
  return answer as RpcReceipt[]
}
