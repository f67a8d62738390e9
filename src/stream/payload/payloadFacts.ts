import type { RpcReceipt, RpcTransaction } from '../../chain/evm/rpc/rpc.ts'
import type { Address } from '../../util/hex.ts'
import type { StreamMatch } from '../match/match.ts'
import type { Token } from './tokenReader.ts'

/** The body of an unconfirmed webhook, and what it holds. */
export type WebhookPayload = { body: string; counts: { logs: number; txs: number; txsInternal: number } }

/** Everything that the webhook of a match says. */
export type PayloadFacts = {
  own: StreamMatch
  /** The body up to its lists. */
  head: string
  tokens: ReadonlyMap<Address, Token>
  /** In the order of the block, each with its receipt. */
  transactions: readonly (readonly [RpcTransaction, RpcReceipt])[]
  /** Of the addresses that the stream wants to know the balances of. */
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
