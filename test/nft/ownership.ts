import { expect } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import type { Anvil } from '../anvil.ts'
import type { NftClient, NftRecord } from '../mintmark.ts'
import { readTruth, type TrueRecord, type TruthOptions } from '../truth.ts'

/** What a record says of ownership, in the shape of the truth. */
export function ownedPart(record: NftRecord): TrueRecord {
  const { token_address, token_id, token_hash, owner_of, minter_address, block_number, block_number_minted } = record
  const { amount, contract_type } = record
  const standard = contract_type as TrueRecord['contract_type']
  return {
    token_address,
    token_id,
    token_hash,
    owner_of,
    minter_address,
    block_number,
    block_number_minted,
    contract_type: standard,
    amount,
  }
}

/** Waits until the head is covered, then compares every record with the chain, which must not move meanwhile. */
export async function expectTruth(
  options: { anvil: Anvil; client: NftClient } & TruthOptions,
  address: Address,
): Promise<NftRecord[]> {
  const { anvil, client, ...truthOptions } = options
  const block = await anvil.blockNumber()
  const truth = await readTruth(anvil.url, address, block, truthOptions)
  await client.untilSynced(address, block)
  // A chain that was replaced is as high as the one before: ask until what is stored is the new one.
  await expect.poll(async () => (await client.walk(address)).map(ownedPart), { interval: 50 }).toEqual(truth)
  return client.walk(address)
}
