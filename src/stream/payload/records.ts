import type { InternalTransfer, RpcLog, RpcReceipt, RpcTransaction } from '../../chain/evm/rpc/rpc.ts'
import { MintmarkError } from '../../util/errors.ts'
import type { Hex } from '../../util/hex.ts'

// Records of a webhook's body: each number is decimal text.

export function logRecord({ logIndex, transactionHash, address, data, topics }: RpcLog) {
  const [topic0 = null, topic1 = null, topic2 = null, topic3 = null] = topics
  return { logIndex: String(BigInt(logIndex)), transactionHash, address, data, topic0, topic1, topic2, topic3 }
}

export function internalRecord({ from, to, value, transactionHash, gas }: InternalTransfer) {
  return { from, to, value: String(value), transactionHash, gas: String(gas) }
}

export function transactionRecord(transaction: RpcTransaction, receipt: RpcReceipt) {
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

/** A node returned a text where a number belongs. The message contains it only if it is one short word. */
export class QuantityError extends MintmarkError {
  readonly code = 'QUANTITY'

  constructor(quantity: string) {
    super(`the node gives ${/^\w{1,12}$/.test(quantity) ? `"${quantity}"` : 'a text'} where a number belongs`)
  }
}

/**
 * A quantity as decimal text; null if the chain has none. Some nodes write zero as 0x, for example in signatures of
 * system transactions. Throws QuantityError.
 */
function decimal(quantity: Hex | null | undefined): string | null {
  if (typeof quantity !== 'string') return null
  if (quantity === '0x') return '0'
  try {
    return String(BigInt(quantity))
  } catch {
    throw new QuantityError(quantity)
  }
}
