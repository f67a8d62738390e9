import { isDeepStrictEqual } from 'node:util'
import type { WorldContract } from '../chain/contracts.ts'
import { amountOf, type Ownership, recordsOf } from '../chain/ownership.ts'
import type { WorldBlock, WorldChain } from '../chain/worldChain.ts'

/** The fields of a record that the chain decides. */
const fields = [
  'token_address',
  'token_id',
  'token_hash',
  'owner_of',
  'minter_address',
  'block_number',
  'block_number_minted',
  'contract_type',
  'amount',
] as const

export type Listed = Record<(typeof fields)[number], string | null>
export type ListedTransfer = Record<
  'block_number' | 'log_index' | 'token_id' | 'from_address' | 'to_address' | 'amount',
  unknown
>

/** What the whole list of a contract is at a block. */
export const trueRecords = (contract: WorldContract, ownership: Ownership): Listed[] =>
  recordsOf(contract.address, ownership.get(contract.address) ?? new Map())

/** Undefined where both are the same; else the first difference, for people. */
export function differenceOf(given: readonly Listed[], expected: readonly Listed[]): string | undefined {
  for (let i = 0; i < Math.max(given.length, expected.length); i++) {
    const [is, should] = [given[i], expected[i]].map((record) => record && fields.map((field) => record[field]))
    if (!isDeepStrictEqual(is, should))
      return `record ${i} of ${given.length} is ${JSON.stringify(is)} and should be ${JSON.stringify(should)} of ${expected.length}`
  }
  return undefined
}

/** One line for each holder of each token, in the order of text. */
export function trueOwners(contract: WorldContract, ownership: Ownership): string[] {
  const tokens = ownership.get(contract.address) ?? new Map()
  return [...tokens]
    .flatMap(([id, { holders }]) => [...holders].map(([holder, amount]) => `${id},${holder},${amount}`))
    .sort()
}

/** What `…/stats` says of a contract. */
export function trueStats(contract: WorldContract, ownership: Ownership) {
  const tokens = [...(ownership.get(contract.address) ?? new Map()).values()]
  const holders = new Set(tokens.flatMap((token) => [...token.holders.keys()]))
  return {
    total_tokens: String(tokens.filter((token) => amountOf(token) > 0n).length),
    owners: { current: String(holders.size) },
    transfers: { total: String(tokens.reduce((sum, { transfers }) => sum + transfers, 0)) },
  }
}

/** Transfers of a contract up to a block, the earliest first, as one line each. */
export function trueTransfers(chain: WorldChain, contract: WorldContract, block: WorldBlock): string[] {
  return chain
    .ancestry(block)
    .flatMap(({ number, moves }) =>
      moves
        .filter((move) => move.contract === contract.address)
        .map((move) => [number, move.logIndex, move.tokenId, move.from, move.to, move.amount].join(' ')),
    )
}

export const transferLine = (transfer: ListedTransfer): string =>
  [
    transfer.block_number,
    transfer.log_index,
    transfer.token_id,
    transfer.from_address,
    transfer.to_address,
    transfer.amount,
  ].join(' ')
