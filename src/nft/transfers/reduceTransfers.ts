import type { Address } from '../../util/hex.ts'
import { tokenHash } from './tokenHash.ts'
import { isErc1155, movesNothing, type Transfer, zeroAddress } from './transfer.ts'

/** Change of one token by some transfers, in any order. */
export type TokenChange = {
  hash: string
  tokenId: string
  /** ERC-721: `to` of the latest transfer, null when burned. ERC-1155: always null here. */
  owner: string | null
  /** `to` of the earliest mint; null: none. */
  minter: string | null
  /** Position of the latest transfer of a non-zero amount; null: none. */
  lastPosition: number | null
  /** Position of the earliest such transfer. */
  firstPosition: number | null
  /** Position of the earliest mint, unless it is the first one. */
  mintedPosition: number | null
  /** ERC-721: 1, or 0 when burned. ERC-1155: minted minus burned, possibly negative; balances decide the existing amount. */
  amount: bigint
  /** An ERC-1155 transfer moved some of it: owner and amount are those of an ERC-1155 token. */
  summed: boolean
  /** Number of transfers. */
  transfers: number
}

/** Change of one holder's balance of an ERC-1155 id. */
export type BalanceChange = { hash: string; holder: string; amount: bigint }

/** Tokens are in hash order, as neighbours are on one page of the database. */
export type Changes = { tokens: TokenChange[]; balances: BalanceChange[] }

/**
 * Reduces transfers to one change per token and per balance. Their order does not matter: the owner is the `to` of the latest transfer, minter and
 * mint block come from the earliest mint, and a balance is a sum. Transfers of zero are only counted, like ERC-721 transfers of a token that ERC-1155
 * transfers moved.
 */
export function reduceTransfers(address: Address, transfers: Iterable<Transfer>): Changes {
  const tokens = new Map<string, TokenChange>()
  const balances = new Map<string, BalanceChange>()
  for (const t of transfers) {
    const burned = t.to === zeroAddress
    const minted = t.from === zeroAddress
    let change = tokens.get(t.tokenId)
    if (!change) {
      change = {
        hash: tokenHash(address, t.tokenId),
        tokenId: t.tokenId,
        owner: null,
        minter: null,
        lastPosition: null,
        firstPosition: null,
        mintedPosition: null,
        amount: 0n,
        summed: false,
        transfers: 0,
      }
      tokens.set(t.tokenId, change)
    }
    change.transfers++
    if (movesNothing(t)) continue
    if (change.firstPosition === null || t.position < change.firstPosition) change.firstPosition = t.position
    if (minted && (change.mintedPosition === null || t.position < change.mintedPosition)) {
      change.mintedPosition = t.position
      change.minter = t.to
    }
    if (change.lastPosition === null || t.position > change.lastPosition) {
      change.lastPosition = t.position
      if (!change.summed) {
        change.owner = burned ? null : t.to
        change.amount = burned ? 0n : 1n
      }
    }
    if (isErc1155(t)) {
      if (!change.summed) {
        change.summed = true
        change.owner = null
        change.amount = 0n
      }
      const amount = BigInt(t.amount)
      if (minted) change.amount += amount
      else addBalance(balances, change.hash, t.from, -amount)
      if (burned) change.amount -= amount
      else addBalance(balances, change.hash, t.to, amount)
    }
  }
  for (const change of tokens.values()) if (change.mintedPosition === change.firstPosition) change.mintedPosition = null
  return {
    tokens: [...tokens.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1)),
    balances: [...balances.values()].filter((b) => b.amount !== 0n),
  }
}

function addBalance(balances: Map<string, BalanceChange>, hash: string, holder: string, amount: bigint): void {
  const key = hash + holder
  const known = balances.get(key)
  if (known) known.amount += amount
  else balances.set(key, { hash, holder, amount })
}
