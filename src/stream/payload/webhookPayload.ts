import type { Header, RpcReceipt, RpcTransaction } from '../../chain/evm/rpc/rpc.ts'
import { BlockUnsettledError } from '../../chain/evm/source/sourceError.ts'
import type { FollowedBlock } from '../../sync/blockHandler.ts'
import { chunksOf } from '../../util/chunksOf.ts'
import { MintmarkError } from '../../util/errors.ts'
import type { Address, Hex } from '../../util/hex.ts'
import { quantity } from '../../util/hex.ts'
import type { Pace } from '../../util/threads/createPace.ts'
import type { StreamMatch } from '../match/match.ts'
import { UnmatchableError } from '../match/unmatchableError.ts'
import type { WebhookPayload } from './payloadFacts.ts'
import { QuantityError } from './records.ts'
import { splitPayload, wantedBalances } from './splitPayload.ts'
import { tokensIn } from './tokenLists.ts'
import type { TokenReader } from './tokenReader.ts'

/** Balances per request: each is a call of the node. */
const balancesAtOnce = 1_000

/**
 * Builds the webhook of a match: reads receipts, tokens and balances, and writes compact JSON in the order of the
 * interface, split above `maxBytes`. `pace`: of all webhooks of a block, whose bodies may take seconds. Throws the node's errors, and
 * UnmatchableError if the data cannot be serialised.
 */
export async function webhookPayload(
  own: StreamMatch,
  block: FollowedBlock,
  { reader, maxBytes, pace }: { reader: Pick<TokenReader, 'read'>; maxBytes: number; pace: Pace },
): Promise<WebhookPayload[]> {
  const { stream, logs } = own
  const tokens = await reader.read(tokensIn(logs), block.header.number)
  const transactions = own.transactions.size === 0 ? [] : await readTransactions(own, block)
  const read = { own, head: headOf(own, block.header), tokens, transactions }
  const addresses = written(stream.id, () => wantedBalances(read))
  const balances = new Map<Address, bigint>()
  for (const requested of chunksOf(addresses, balancesAtOnce))
    for (const [j, balance] of (await block.balances(requested)).entries()) balances.set(requested[j]!, balance)
  await pace()
  return written(stream.id, () => splitPayload({ ...read, balances }, maxBytes))
}

async function readTransactions(own: StreamMatch, block: FollowedBlock): Promise<[RpcTransaction, RpcReceipt][]> {
  const transactions = (await block.transactions()).filter(({ hash }) => own.transactions.has(hash))
  if (transactions.length === 0) return []
  const receipts = new Map((await block.receipts()).map((receipt) => [receipt.transactionHash, receipt]))
  return transactions.map((transaction) => {
    const receipt = receipts.get(transaction.hash)
    if (!receipt) throw missingReceipt(own.stream.chainId, block.header, transaction.hash)
    return [transaction, receipt]
  })
}

/** The body before its lists. The ABI, which may be most of it, is already JSON. */
function headOf({ stream }: StreamMatch, { number, hash, timestamp }: Header): string {
  const start = `{"confirmed":false,"chainId":"${quantity(stream.chainId)}","abi":${stream.abi},"streamId":"${stream.id}"`
  const block = `{"number":"${number}","hash":${JSON.stringify(hash)},"timestamp":"${timestamp}"}`
  return `${start},"tag":${JSON.stringify(stream.tag)},"retries":0,"block":${block}`
}

/**
 * Calls `write`, which queries no node. So its errors are caused by this stream's match and become UnmatchableError,
 * except our own errors with another meaning.
 */
function written<T>(streamId: string, write: () => T): T {
  try {
    return write()
  } catch (cause) {
    const isOfAnother = cause instanceof MintmarkError && !(cause instanceof QuantityError)
    throw isOfAnother ? cause : new UnmatchableError({ streamId, cause })
  }
}

const unconfirmedHead = '{"confirmed":false,'

/** The body of the same webhook once its block is confirmed. */
export function confirmedBody(body: string): string {
  return `{"confirmed":true,${body.slice(unconfirmedHead.length)}`
}

/** The node returned the right number of receipts, but for other transactions: the block is read again. */
function missingReceipt(chainId: bigint, block: Header, transaction: Hex): BlockUnsettledError {
  const chain = quantity(chainId)
  return new BlockUnsettledError({ chain, block, reasons: [`no receipt of ${transaction}`] })
}
