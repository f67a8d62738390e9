import type { Header, InternalTransfer, RpcLog, RpcReceipt, RpcTransaction } from '../../chain/evm/rpc.ts'
import { BlockUnsettledError } from '../../chain/evm/sourceError.ts'
import { MintmarkError } from '../../errors.ts'
import type { FollowedBlock } from '../../sync/blockHandler.ts'
import type { Hex } from '../../util/hex.ts'
import type { StreamMatch } from '../match/match.ts'
import { UnmatchableError } from '../match/unmatchableError.ts'
import { balanceAddresses } from './nativeBalances.ts'
import { tokenLists, tokensIn } from './tokenLists.ts'
import type { TokenReader } from './tokenReader.ts'

/** Balances asked for together: each is a call to the node. */
const balancesAtOnce = 1_000

/** The body of the unconfirmed webhook of a match, and what it holds. */
export type WebhookPayload = { body: string; counts: { logs: number; txs: number; txsInternal: number } }

/**
 * Reads what a match needs besides the block's logs, and writes its webhook as compact JSON in the order of the interface.
 * Throws UnmatchableError where what was read cannot be written, and what the node throws.
 */
export async function webhookPayload(
  own: StreamMatch,
  block: FollowedBlock,
  tokens: TokenReader,
): Promise<WebhookPayload> {
  const { stream, logs, internalTransfers } = own
  const { header } = block
  const { getNativeBalances } = stream.definition
  const names = await tokens.read(tokensIn(logs))
  const transactions =
    own.transactions.size === 0 ? [] : (await block.transactions()).filter(({ hash }) => own.transactions.has(hash))
  const receipts =
    transactions.length === 0
      ? new Map<Hex, RpcReceipt>()
      : new Map((await block.receipts()).map((receipt) => [receipt.transactionHash, receipt]))
  const { lists, addresses } = written(stream.id, () => {
    const lists = tokenLists(logs, names)
    return { lists, addresses: balanceAddresses(getNativeBalances, own, transactions, lists) }
  })
  const balances: bigint[] = []
  for (let i = 0; i < addresses.length; i += balancesAtOnce)
    balances.push(...(await block.balances(addresses.slice(i, i + balancesAtOnce))))
  const text = written(stream.id, () =>
    JSON.stringify({
      tag: stream.tag,
      retries: 0,
      block: { number: String(header.number), hash: header.hash, timestamp: String(header.timestamp) },
      logs: logs.map(logRecord),
      txs: transactions.map((transaction) => {
        const receipt = receipts.get(transaction.hash)
        if (!receipt) throw missingReceipt(stream.chainId, header, transaction.hash)
        return transactionRecord(transaction, receipt)
      }),
      txsInternal: internalTransfers.map(internalRecord),
      ...lists,
      nativeBalances: addresses.map((address, i) => ({ address, balance: String(balances[i]) })),
    }),
  )
  // The ABI is text already, and may be most of the body.
  const head = `{"confirmed":false,"chainId":"0x${stream.chainId.toString(16)}","abi":${stream.abi},"streamId":"${stream.id}",`
  return {
    body: head + text.slice(1),
    counts: { logs: logs.length, txs: transactions.length, txsInternal: internalTransfers.length },
  }
}

/** What a write gives. It reads nothing, so that what it throws is not the node's fault at the moment, unless it says so. */
function written<T>(streamId: string, write: () => T): T {
  try {
    return write()
  } catch (cause) {
    throw cause instanceof MintmarkError ? cause : new UnmatchableError({ streamId, cause })
  }
}

const unconfirmedHead = '{"confirmed":false,'

/** The same webhook once its block is confirmed. */
export function confirmedBody(body: string): string {
  return `{"confirmed":true,${body.slice(unconfirmedHead.length)}`
}

function logRecord({ logIndex, transactionHash, address, data, topics }: RpcLog) {
  const [topic0 = null, topic1 = null, topic2 = null, topic3 = null] = topics
  return { logIndex: String(BigInt(logIndex)), transactionHash, address, data, topic0, topic1, topic2, topic3 }
}

function internalRecord({ from, to, value, transactionHash, gas }: InternalTransfer) {
  return { from, to, value: String(value), transactionHash, gas: String(gas) }
}

/** As many receipts as transactions, but not of the same: the node is asked again. */
function missingReceipt(chainId: bigint, { number, hash }: Header, transaction: Hex): BlockUnsettledError {
  return new BlockUnsettledError({
    chain: `0x${chainId.toString(16)}`,
    number,
    hash,
    reason: `no receipt of ${transaction}`,
  })
}

function transactionRecord(transaction: RpcTransaction, receipt: RpcReceipt) {
  const { hash, gas, gasPrice, nonce, input, transactionIndex, from, to, value, type, v, r, s } = transaction
  return {
    hash,
    gas: decimal(gas),
    gasPrice: decimal(gasPrice),
    nonce: decimal(nonce),
    input,
    transactionIndex: decimal(transactionIndex),
    fromAddress: from,
    toAddress: to,
    value: decimal(value),
    type: decimal(type),
    v: decimal(v),
    r: decimal(r),
    s: decimal(s),
    receiptCumulativeGasUsed: decimal(receipt.cumulativeGasUsed),
    receiptGasUsed: decimal(receipt.gasUsed),
    receiptContractAddress: receipt.contractAddress?.toLowerCase() ?? null,
    receiptRoot: receipt.root ?? null,
    receiptStatus: decimal(receipt.status),
  }
}

/** A quantity as decimal text; null where the chain has none. Some nodes write nought as 0x, as in the signature of a system's transaction. */
function decimal(quantity: Hex | null | undefined): string | null {
  if (typeof quantity !== 'string') return null
  return quantity === '0x' ? '0' : String(BigInt(quantity))
}
