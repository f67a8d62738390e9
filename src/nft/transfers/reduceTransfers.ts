import type { Address } from '../../util/hex.ts'
import type { Standard } from './decodeTransfers.ts'
import { tokenHash } from './tokenHash.ts'
import { type Transfer, zeroAddress } from './transfer.ts'

/** What some transfers, in any order, do to one token. */
export type TokenChange = {
  hash: string
  tokenId: string
  /** ERC-721: `to` of the latest of them, null when burned. ERC-1155: always null here. */
  owner: string | null
  /** `to` of the earliest of them where it is a mint. */
  minter: string | null
  lastPosition: number
  firstPosition: number
  /** ERC-721: 1, or 0 when burned. ERC-1155: minted less burned, which may be negative; what exists of it, the balances tell. */
  amount: bigint
  /** How many transfers these are. */
  transfers: number
}

/** What some transfers add to one holder's balance of one ERC-1155 id. */
export type BalanceChange = { hash: string; holder: string; amount: bigint }

/** Tokens are in the order of their hashes, as neighbours lie on one page of the database. */
export type Changes = { tokens: TokenChange[]; balances: BalanceChange[] }

/**
 * Reduces transfers to one change of each token and one of each balance. Their order does not matter: the owner is the `to` of the latest
 * transfer, minter and mint block come from the earliest, and a balance is a sum.
 */
export function reduceTransfers(address: Address, standard: Standard, transfers: Iterable<Transfer>): Changes {
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
        lastPosition: -1,
        firstPosition: Number.POSITIVE_INFINITY,
        amount: 0n,
        transfers: 0,
      }
      tokens.set(t.tokenId, change)
    }
    change.transfers++
    if (t.position < change.firstPosition) {
      change.firstPosition = t.position
      change.minter = minted ? t.to : null
    }
    if (t.position > change.lastPosition) {
      change.lastPosition = t.position
      if (standard === 'ERC721') {
        change.owner = burned ? null : t.to
        change.amount = burned ? 0n : 1n
      }
    }
    if (standard === 'ERC1155' && t.amount !== '0') {
      const amount = BigInt(t.amount)
      if (minted) change.amount += amount
      else addBalance(balances, change.hash, t.from, -amount)
      if (burned) change.amount -= amount
      else addBalance(balances, change.hash, t.to, amount)
    }
  }
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
