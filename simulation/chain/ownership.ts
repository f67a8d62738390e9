import { createHash } from 'node:crypto'
import { type Address, zeroAddress } from '../../src/util/hex.ts'
import type { TrueRecord } from '../../test/truth.ts'

/** One token, or an amount of one id, that a log moved, as the script of the chain means it: never decoded from the log. */
export type Move = {
  contract: Address
  standard: 'ERC721' | 'ERC1155'
  /** Place of its log in the block, and its own place in the log. */
  logIndex: number
  item: number
  from: Address
  to: Address
  tokenId: bigint
  /** 1 for ERC-721. */
  amount: bigint
}

/** What is true of a token at a block; never changed, so that states share it. */
export type TrueToken = {
  /** ERC-1155 once such a move was of more than nothing: then those of ERC-721 change no holder. */
  standard: Move['standard']
  /** Blocks of its first and of its last transfer of more than nothing, and of its earliest mint; null: there was none. */
  first: number | null
  last: number | null
  minted: number | null
  minter: Address | null
  transfers: number
  /** Holders of more than nothing. */
  holders: ReadonlyMap<Address, bigint>
}

/** The tokens of every contract, by contract and id; burned ones have no holders. */
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

/** The records that a page has to list, the highest token hash first. */
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
