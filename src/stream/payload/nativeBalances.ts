import type { RpcReceipt, RpcTransaction } from '../../chain/evm/rpc/rpc.ts'
import type { Address } from '../../util/hex.ts'
import type { StreamMatch } from '../match/match.ts'
import type { StreamDefinition } from '../streamDefinition.ts'
import type { TokenLists } from './tokenLists.ts'

const address20 = /^0x[0-9a-fA-F]{40}$/

/** Records of a webhook with their address fields, by the types of getNativeBalances. */
type Records = Record<string, readonly Record<string, unknown>[]>

/**
 * Unique addresses, in order, whose balances a stream requests with a match. A selector is an address, or `$field`,
 * which selects that field of each record of its type, such as `$from` of `tx`.
 */
export function balanceAddresses(
  wanted: StreamDefinition['getNativeBalances'],
  own: Pick<StreamMatch, 'logs' | 'internalTransfers'>,
  transactions: readonly (readonly [RpcTransaction, RpcReceipt])[],
  lists: TokenLists,
): Address[] {
  if (wanted.length === 0) return []
  const records: Records = {
    tx: transactions.map(([{ from, to }]) => ({ from, to, fromAddress: from, toAddress: to })),
    log: own.logs.map(({ address }) => ({ address, contract: address })),
    internaltx: own.internalTransfers.map(({ from, to }) => ({ from, to })),
    erc20transfer: lists.erc20Transfers,
    erc20approval: lists.erc20Approvals,
    nfttransfer: lists.nftTransfers,
    nfttokenapproval: lists.nftTokenApprovals,
  }
  const found = new Set<Address>()
  for (const { selectors, type } of wanted)
    for (const record of records[type.toLowerCase()] ?? [])
      for (const selector of selectors) {
        const value = selector.startsWith('$') ? record[selector.slice(1)] : selector
        if (typeof value === 'string' && address20.test(value)) found.add(value.toLowerCase() as Address)
      }
  return [...found]
}

/** Record types of `getNativeBalances`, in lower case. */
export const balanceTypes: readonly string[] = [
  'tx',
  'log',
  'internaltx',
  'erc20transfer',
  'erc20approval',
  'nfttransfer',
  'nfttokenapproval',
]
