import { formatUnits } from 'viem'
import type { RpcLog } from '../../chain/evm/rpc.ts'
import type { Address, Hex } from '../../util/hex.ts'
import { readTokenLog } from './tokenLogs.ts'
import type { Token } from './tokenReader.ts'

type Place = { transactionHash: Hex; logIndex: string; contract: Address }
type Named = { tokenName: string; tokenSymbol: string }
type Coin = Named & { tokenDecimals: string; valueWithDecimals: string | null }
type Nft = Named & { tokenContractType: 'ERC721' | 'ERC1155' }

/** The decoded lists of a webhook. Numbers are decimal text. */
export type TokenLists = {
  erc20Transfers: (Place & { from: Address; to: Address; value: string } & Coin)[]
  erc20Approvals: (Place & { owner: Address; spender: Address; value: string } & Coin)[]
  nftTransfers: ({ operator: Address | null; from: Address; to: Address; tokenId: string; amount: string } & Place &
    Nft)[]
  nftTokenApprovals: ({ account: Address; operator: Address; approvedAll: boolean; tokenId: string | null } & Place &
    Nft)[]
  nftApprovals: {
    ERC721: (Place & { owner: Address; approved: Address; tokenId: string })[]
    ERC1155: (Place & { account: Address; operator: Address; approved: boolean })[]
  }
}

/** Contracts of which names, symbols and decimals are needed. */
export function tokensIn(logs: readonly RpcLog[]): Address[] {
  return logs.flatMap((log) => (readTokenLog(log) ? [log.address] : []))
}

const unknown: Token = { name: '', symbol: '', decimals: null, standard: undefined }

/** Sorts what logs say of tokens into the lists of a webhook, in order of the logs. */
export function tokenLists(logs: readonly RpcLog[], tokens: ReadonlyMap<Address, Token>): TokenLists {
  const lists: TokenLists = {
    erc20Transfers: [],
    erc20Approvals: [],
    nftTransfers: [],
    nftTokenApprovals: [],
    nftApprovals: { ERC721: [], ERC1155: [] },
  }
  for (const log of logs) {
    const found = readTokenLog(log)
    if (!found) continue
    const token = tokens.get(log.address) ?? unknown
    const names: Named = { tokenName: token.name, tokenSymbol: token.symbol }
    const contract = log.address
    const { transactionHash } = log
    const logIndex = String(BigInt(log.logIndex))
    const nft = (tokenContractType: Nft['tokenContractType']) => ({
      transactionHash,
      logIndex,
      contract,
      ...names,
      tokenContractType,
    })
    const coin = (value: bigint): Coin => ({
      ...names,
      tokenDecimals: token.decimals === null ? '' : String(token.decimals),
      valueWithDecimals: token.decimals === null ? null : formatUnits(value, token.decimals),
    })
    // Only its contract tells what a transfer is that indexes nothing: an ERC-20 has decimals.
    const kind =
      found.kind === 'unindexed' ? (token.decimals === null ? 'erc721Transfer' : 'erc20Transfer') : found.kind
    switch (found.kind) {
      case 'unindexed':
      case 'erc20Transfer':
      case 'erc721Transfer': {
        const { from, to } = found
        const value = found.kind === 'erc721Transfer' ? found.tokenId : found.value
        if (kind === 'erc20Transfer')
          lists.erc20Transfers.push({
            transactionHash,
            logIndex,
            contract,
            from,
            to,
            value: String(value),
            ...coin(value),
          })
        else
          lists.nftTransfers.push({ operator: null, from, to, tokenId: String(value), amount: '1', ...nft('ERC721') })
        break
      }
      case 'erc20Approval': {
        const { owner, spender, value } = found
        lists.erc20Approvals.push({
          transactionHash,
          logIndex,
          contract,
          owner,
          spender,
          value: String(value),
          ...coin(value),
        })
        break
      }
      case 'erc1155Transfer': {
        const { operator, from, to } = found
        for (const { id, amount } of found.items)
          lists.nftTransfers.push({
            operator,
            from,
            to,
            tokenId: String(id),
            amount: String(amount),
            ...nft('ERC1155'),
          })
        break
      }
      case 'erc721Approval': {
        const { owner, approved } = found
        const tokenId = String(found.tokenId)
        lists.nftTokenApprovals.push({
          account: owner,
          operator: approved,
          approvedAll: false,
          tokenId,
          ...nft('ERC721'),
        })
        lists.nftApprovals.ERC721.push({ transactionHash, logIndex, contract, owner, approved, tokenId })
        break
      }
      case 'approvalForAll': {
        const { account, operator, approved } = found
        const type = token.standard ?? 'ERC721'
        lists.nftTokenApprovals.push({ account, operator, approvedAll: approved, tokenId: null, ...nft(type) })
        // The list for ERC-721 has a token id, which an approval for all has not.
        if (type === 'ERC1155')
          lists.nftApprovals.ERC1155.push({ transactionHash, logIndex, contract, account, operator, approved })
      }
    }
  }
  return lists
}
