import type { Address } from '../../src/util/hex.ts'
import type { Anvil } from '../anvil.ts'
import type { NftRecord } from '../mintmark.ts'
import { readTransfers } from '../readTransfers.ts'
import { readBalances, readTruth } from '../truth.ts'

/** A token of a wallet, or an amount of one. */
type Held = { address: Address; tokenId: string; amount: string }

export const nameOf = ({ address, tokenId }: Pick<Held, 'address' | 'tokenId'>) => `${address} ${tokenId}`
export const byName = (a: Held, b: Held) => (nameOf(a) < nameOf(b) ? -1 : 1)

/** The holdings in the records of a wallet. */
export const heldOf = (records: readonly NftRecord[]): Held[] =>
  records
    .map(({ token_address, token_id, amount }) => ({ address: token_address, tokenId: token_id, amount }))
    .toSorted(byName)

/** The holdings of each address as the contracts report them, including the zero address. */
export async function readHoldings(
  anvil: Anvil,
  contracts: { erc721: readonly Address[]; erc1155: readonly Address[] },
  atBlock?: bigint,
): Promise<Map<Address, Held[]>> {
  const holdings = new Map<Address, Held[]>()
  const add = (holder: Address, held: Held) => holdings.set(holder, [...(holdings.get(holder) ?? []), held])
  const head = atBlock ?? (await anvil.blockNumber())
  for (const address of contracts.erc721)
    for (const { owner_of, token_id } of await readTruth(anvil.url, address, head))
      add(owner_of!, { address, tokenId: token_id, amount: '1' })
  for (const address of contracts.erc1155)
    for (const { holder, tokenId, amount } of await readBalances(anvil.url, address, head))
      if (amount > 0n) add(holder, { address, tokenId: String(tokenId), amount: String(amount) })
  return holdings
}

/** A wallet's transfer in API responses. */
export type MoveRecord = {
  token_address: Address
  token_id: string
  from_address: Address
  to_address: Address
  amount: string
  block_number: string
  log_index: number
  block_hash: string
  operator: string | null
}

/** The transfers of a wallet from the chain's logs, in API order. */
export async function readMoves(anvil: Anvil, contracts: readonly Address[], wallet: Address): Promise<MoveRecord[]> {
  const head = await anvil.blockNumber()
  const all = await Promise.all(
    contracts.map(async (token_address) =>
      (await readTransfers(anvil.url, token_address, head)).map((transfer) => ({ token_address, ...transfer })),
    ),
  )
  return all
    .flat()
    .filter(({ from, to }) => from === wallet || to === wallet)
    .toSorted((a, b) => Number(a.block - b.block) || a.logIndex - b.logIndex || a.item - b.item)
    .map(({ token_address, from, to, tokenId, amount, block, logIndex, blockHash, operator }) => ({
      ...{ token_address, token_id: String(tokenId), from_address: from, to_address: to, amount: String(amount) },
      ...{ block_number: String(block), log_index: logIndex, block_hash: blockHash, operator },
    }))
}
