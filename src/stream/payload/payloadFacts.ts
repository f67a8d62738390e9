import type { RpcReceipt, RpcTransaction } from '../../chain/evm/rpc/rpc.ts'
import type { Address } from '../../util/hex.ts'
import type { StreamMatch } from '../match/match.ts'
import type { Token } from './tokenReader.ts'

/** The body of an unconfirmed webhook, and how many logs, transactions and internal transactions it holds. */
export type WebhookPayload = { body: string; counts: { logs: number; txs: number; txsInternal: number } }

/** Everything from which the webhook of a match is written. */
export type PayloadFacts = {
  own: StreamMatch
  /** The body up to its lists. */
  head: string
  tokens: ReadonlyMap<Address, Token>
  /** In the order of the block, each with its receipt. */
  transactions: readonly (readonly [RpcTransaction, RpcReceipt])[]
  /** Balances of the addresses for which the stream wants them. */
  balances: ReadonlyMap<Address, bigint>
}

/** The first lists of a body, in its order; `nftApprovals`, which holds ERC721 and ERC1155, and `nativeBalances` follow. */
export const bodyLists = [
  'logs',
  'txs',
  'txsInternal',
  'erc20Transfers',
  'erc20Approvals',
  'nftTransfers',
  'nftTokenApprovals',
] as const
