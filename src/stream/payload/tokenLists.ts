import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { decimalOf, type IndexedCount, readTokenEvent } from '../../chain/evm/source/tokenEvents.ts'
import type { Address, Hex } from '../../util/hex.ts'
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

/**
 * Contracts whose names, symbols and decimals are needed, each with the unindexed numbers of its logs: amounts, or
 * token ids if the contract is one of NFTs.
 */
export function tokensIn(logs: readonly RpcLog[]): Map<Address, bigint[]> {
  const tokens = new Map<Address, bigint[]>()
  for (const log of logs) {
    const event = readTokenEvent(log)
    if (!event || event.kind === 'consecutiveTransfer') continue
    const named = tokens.get(log.address) ?? []
    tokens.set(log.address, named)
    if ((event.kind === 'transfer' || event.kind === 'approval') && event.indexed !== 3)
      named.push(BigInt(`0x${event.value}`))
  }
  return tokens
}

const unknown: Token = { name: '', symbol: '', decimals: null, standard: undefined, unindexed: 'amount' }

/** The token lists of a webhook, in log order. They omit ConsecutiveTransfer. */
export function tokenLists(logs: readonly RpcLog[], tokens: ReadonlyMap<Address, Token>): TokenLists {
  const lists: TokenLists = {
    erc20Transfers: [],
    erc20Approvals: [],
    nftTransfers: [],
    nftTokenApprovals: [],
    nftApprovals: { ERC721: [], ERC1155: [] },
  }
  for (const log of logs) {
    const event = readTokenEvent(log)
    if (!event) continue
    const token = tokens.get(log.address) ?? unknown
    const place: Place = {
      transactionHash: log.transactionHash,
      logIndex: String(BigInt(log.logIndex)),
      contract: log.address,
    }
    const names: Named = { tokenName: token.name, tokenSymbol: token.symbol }
    const nft = (tokenContractType: Nft['tokenContractType']) => ({ ...place, ...names, tokenContractType })
    switch (event.kind) {
      case 'transfer': {
        const { from, to } = toParties(event)
        const value = decimalOf(event.value)
        if (isOfCoins(event, token))
          lists.erc20Transfers.push({ ...place, from, to, value, ...names, ...coin(value, token) })
        else lists.nftTransfers.push({ operator: null, from, to, tokenId: value, amount: '1', ...nft('ERC721') })
        break
      }
      case 'approval': {
        const { from: owner, to: operator } = toParties(event)
        const value = decimalOf(event.value)
        if (isOfCoins(event, token)) {
          lists.erc20Approvals.push({ ...place, owner, spender: operator, value, ...names, ...coin(value, token) })
          break
        }
        const tokenId = value
        lists.nftTokenApprovals.push({ account: owner, operator, approvedAll: false, tokenId, ...nft('ERC721') })
        lists.nftApprovals.ERC721.push({ ...place, owner, approved: operator, tokenId })
        break
      }
      case 'multiTransfer': {
        const operator: Address = `0x${event.operator}`
        for (const [i, id] of event.ids.entries())
          lists.nftTransfers.push({
            operator,
            ...toParties(event),
            tokenId: decimalOf(id),
            amount: decimalOf(event.amounts[i]!),
            ...nft('ERC1155'),
          })
        break
      }
      case 'approvalForAll': {
        const { approved } = event
        const account: Address = `0x${event.owner}`
        const operator: Address = `0x${event.operator}`
        const type = token.standard ?? 'ERC721'
        lists.nftTokenApprovals.push({ account, operator, approvedAll: approved, tokenId: null, ...nft(type) })
        // Records of nftApprovals.ERC721 have a token id, which an ApprovalForAll does not have.
        if (type === 'ERC1155') lists.nftApprovals.ERC1155.push({ ...place, account, operator, approved })
      }
    }
  }
  return lists
}

/**
 * Whether the last argument of a Transfer or an Approval is an amount of coins. If it is not indexed, only the contract
 * shows that.
 */
function isOfCoins({ indexed }: { indexed: IndexedCount }, token: Token): boolean {
  return indexed !== 3 && token.unindexed === 'amount'
}

function toParties({ from, to }: { from: string; to: string }): { from: Address; to: Address } {
  return { from: `0x${from}`, to: `0x${to}` }
}

function coin(value: string, { decimals }: Token): Omit<Coin, keyof Named> {
  return {
    tokenDecimals: decimals === null ? '' : String(decimals),
    valueWithDecimals: decimals === null ? null : inUnits(value, decimals),
  }
}

/** An amount in whole units, without trailing zeros: `1500` with 3 decimals is `1.5`. */
function inUnits(value: string, decimals: number): string {
  const digits = value.padStart(decimals + 1, '0')
  const whole = digits.length - decimals
  const rest = digits.slice(whole).replace(/0+$/, '')
  return rest === '' ? digits.slice(0, whole) : `${digits.slice(0, whole)}.${rest}`
}
