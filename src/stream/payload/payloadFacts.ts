import type { RpcReceipt, RpcTransaction } from '../../chain/evm/rpc/rpc.ts'
import type { Address } from '../../util/hex.ts'
import type { StreamMatch } from '../match/match.ts'
import type { Token } from './tokenReader.ts'

/** The body of an unconfirmed webhook, with its numbers of logs, transactions and internal transactions. */
export type WebhookPayload = { body: string; counts: { logs: number; txs: number; txsInternal: number } }

/** Input for the webhook of a match. */
export type PayloadFacts = {
  own: StreamMatch
  /** The body before its lists. */
  head: string
  tokens: ReadonlyMap<Address, Token>
  /** In block order, each with its receipt. */
  transactions: readonly (readonly [RpcTransaction, RpcReceipt])[]
  /** Requested balances by address. */
  balances: ReadonlyMap<Address, bigint>
}

/** The first lists of a body, in order. `nftApprovals`, with ERC721 and ERC1155, and `nativeBalances` follow. */
export const bodyLists = [
  'logs',
  'txs',
  'txsInternal',
  'erc20Transfers',
  'erc20Approvals',
  'nftTransfers',
  'nftTokenApprovals',
] as const
