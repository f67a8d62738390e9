import { createHash } from 'node:crypto'
import { type Address, zeroAddress } from '../../src/util/hex.ts'
import type { TrueRecord } from '../../test/truth.ts'

/** A moved token, or a moved amount of one id. It comes from the script of the chain and is never decoded from a log. */
export type Move = {
  contract: Address
  standard: 'ERC721' | 'ERC1155'
  /** Place of its log in the block, and its place in that log. */
  logIndex: number
  item: number
  from: Address
  to: Address
  tokenId: bigint
  /** 1 for ERC-721. */
  amount: bigint
}

/** The true state of a token at a block. It is immutable, so that states can share it. */
export type TrueToken = {
  /** ERC-1155 once an ERC-1155 transfer moved more than zero. From then on ERC-721 transfers change no holder. */
  standard: Move['standard']
  /** Blocks of the first and the last transfer of more than zero, and of the first mint; null: none yet. */
  first: number | null
  last: number | null
  minted: number | null
  minter: Address | null
  transfers: number
  /** Holders with more than zero. */
  holders: ReadonlyMap<Address, bigint>
}

/** Tokens by contract and id. Burned tokens have no holders. */
export type Ownership = Map<Address, Map<bigint, TrueToken>>

export function applyMove(ownership: Ownership, move: Move, block: number): void {
  const tokens = ownership.get(move.contract) ?? new Map<bigint, TrueToken>()
  ownership.set(move.contract, tokens)
  const before = tokens.get(move.tokenId)
  const isSome = move.amount > 0n
  const known = before?.standard ?? 'ERC721'
  const standard = isSome && move.standard === 'ERC1155' ? 'ERC1155' : known
  const isMint = isSome && move.from === zeroAddress && (before?.minted ?? null) === null
  tokens.set(move.tokenId, {
    standard,
    first: before?.first ?? (isSome ? block : null),
    last: isSome ? block : (before?.last ?? null),
    minted: isMint ? block : (before?.minted ?? null),
    minter: isMint ? move.to : (before?.minter ?? null),
    transfers: (before?.transfers ?? 0) + 1,
    holders:
      move.standard === standard
        ? holdersAfter(known === standard ? before?.holders : undefined, move)
        : (before?.holders ?? new Map()),
  })
}

function holdersAfter(before: TrueToken['holders'] | undefined, { standard, from, to, amount }: Move) {
  if (standard === 'ERC721') return new Map(to === zeroAddress ? [] : [[to, 1n]])
  const holders = new Map(before)
  const add = (holder: Address, more: bigint) => {
    if (holder === zeroAddress) return
    const sum = (holders.get(holder) ?? 0n) + more
    if (sum > 0n) holders.set(holder, sum)
    else holders.delete(holder)
  }
  add(from, -amount)
  add(to, amount)
  return holders
}

export const amountOf = (token: TrueToken): bigint => [...token.holders.values()].reduce((sum, held) => sum + held, 0n)

/** Returns the records that a page must list, in descending order of the token hash. */
export function recordsOf(contract: Address, tokens: ReadonlyMap<bigint, TrueToken>): TrueRecord[] {
  const listed = [...tokens].filter(([, token]) => token.holders.size > 0)
  return listed
    .map(([id, token]) => recordOf(contract, id, token))
    .sort((a, b) => (a.token_hash < b.token_hash ? 1 : -1))
}

function recordOf(contract: Address, id: bigint, token: TrueToken): TrueRecord {
  const [holder, another] = token.holders.keys()
  return {
    token_address: contract,
    token_id: String(id),
    token_hash: createHash('md5').update(`${contract}${id}`).digest('hex'),
    owner_of: another === undefined ? holder! : null,
    minter_address: token.minter,
    block_number: String(token.last),
    block_number_minted: String(token.minted ?? token.first),
    contract_type: token.standard,
    amount: String(amountOf(token)),
  }
}
