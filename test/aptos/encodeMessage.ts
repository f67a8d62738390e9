import * as protos from '@aptos-labs/aptos-protos'

const { Transaction } = protos.aptos.transaction.v1
const { TransactionsResponse } = protos.aptos.indexer.v1

/** A message of the stream, encoded by the chain's own package. `transactions`: in the JSON form of protobuf. */
export function encodeMessage(transactions: readonly object[], chainId = '1'): Uint8Array {
  const list = transactions.map((transaction) => Transaction.fromJSON(transaction))
  return TransactionsResponse.encode(
    TransactionsResponse.fromPartial({ transactions: list, chainId: BigInt(chainId) }),
  ).finish()
}
