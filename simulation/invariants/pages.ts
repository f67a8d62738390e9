import { isDeepStrictEqual } from 'node:util'
import type { WorldContract } from '../chain/contracts.ts'
import { amountOf, type Move, type Ownership, recordsOf } from '../chain/ownership.ts'
import type { WorldBlock } from '../chain/worldChain.ts'

/** Times of the blocks of the scripted node (`test/scriptedNode.ts`), in seconds. */
const genesisSeconds = 1_700_000_000
const blockSeconds = 12

/** The fields of a record that depend on the chain. */
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
export type ListedTransfer = Record<(typeof transferFields)[number], string | number>

/** The fields of a transfer that depend on the chain, in the order of its line. */
const transferFields = [
  'token_address',
  'block_number',
  'block_hash',
  'block_timestamp',
  'transaction_hash',
  'transaction_index',
  'log_index',
  'contract_type',
  'token_id',
  'from_address',
  'to_address',
  'amount',
] as const

/** Returns the whole list of a contract at a block. */
export const trueRecords = (contract: WorldContract, ownership: Ownership): Listed[] =>
  recordsOf(contract.address, ownership.get(contract.address) ?? new Map())

/** Returns the first difference as text; undefined if both are the same. */
export function differenceOf(given: readonly Listed[], expected: readonly Listed[]): string | undefined {
  for (let i = 0; i < Math.max(given.length, expected.length); i++) {
    const [is, should] = [given[i], expected[i]].map((record) => record && fields.map((field) => record[field]))
    if (!isDeepStrictEqual(is, should))
      return `record ${i} of ${given.length} is ${JSON.stringify(is)} and should be ${JSON.stringify(should)} of ${expected.length}`
  }
  return undefined
}

/** Returns one line for each holder of each token, in page order: by token hash, descending, then by holder. */
export function trueOwners(contract: WorldContract, ownership: Ownership): string[] {
  const tokens = ownership.get(contract.address) ?? new Map()
  return recordsOf(contract.address, tokens).flatMap(({ token_id }) =>
    [...tokens.get(BigInt(token_id))!.holders]
      .map(([holder, amount]) => `${token_id},${holder},${amount}`)
      .sort((a, b) => (a < b ? -1 : 1)),
  )
}

export const ownerLine = ({ token_id, owner_of, amount }: Listed): string => `${token_id},${owner_of},${amount}`

/** Returns the correct `…/stats` of a contract. */
export function trueStats(contract: WorldContract, ownership: Ownership) {
  const tokens = [...(ownership.get(contract.address) ?? new Map()).values()]
  const holders = new Set(tokens.flatMap((token) => [...token.holders.keys()]))
  return {
    total_tokens: String(tokens.filter((token) => amountOf(token) > 0n).length),
    owners: { current: String(holders.size) },
    transfers: { total: String(tokens.reduce((sum, { transfers }) => sum + transfers, 0)) },
  }
}

/** Returns the transfers of contracts in chain order, one line each. `wallet` limits them to one wallet. */
export function trueTransfers(
  blocks: readonly WorldBlock[],
  contracts: readonly WorldContract[],
  wallet?: string,
): string[] {
  const addresses = new Set<string>(contracts.map(({ address }) => address))
  return blocks.flatMap((block) =>
    block.moves
      .filter(({ contract, from, to }) => addresses.has(contract) && (!wallet || from === wallet || to === wallet))
      .map((move) => moveLine(block, move)),
  )
}

function moveLine({ number, hash, logs }: WorldBlock, move: Move): string {
  const log = logs[move.logIndex] as { transactionHash: string }
  const time = new Date((genesisSeconds + number * blockSeconds) * 1_000).toISOString()
  const { contract, logIndex, standard, tokenId, from, to, amount } = move
  return [
    contract,
    number,
    hash,
    time,
    log.transactionHash,
    logIndex,
    logIndex,
    standard,
    tokenId,
    from,
    to,
    amount,
  ].join(' ')
}

export const transferLine = (transfer: ListedTransfer): string =>
  transferFields.map((field) => transfer[field]).join(' ')

/** Returns the first difference of two lists as text; undefined if they are the same. */
export function firstDifference(given: readonly string[], expected: readonly string[]): string | undefined {
  for (let i = 0; i < Math.max(given.length, expected.length); i++)
    if (given[i] !== expected[i])
      return `row ${i} of ${given.length} is "${given[i]}" and should be "${expected[i]}" of ${expected.length}`
  return undefined
}
