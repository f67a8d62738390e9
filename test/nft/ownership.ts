import { expect } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import type { Anvil } from '../anvil.ts'
import type { NftClient, NftRecord } from '../mintmark.ts'
import { readTruth, type TrueRecord, type TruthOptions } from '../truth.ts'

/** The ownership in a record, in the shape of the chain's truth. */
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

/** Waits until the head is covered, then compares every record with the chain, which must not change meanwhile. */
export async function expectTruth(
  options: { anvil: Anvil; client: NftClient } & TruthOptions,
  address: Address,
): Promise<NftRecord[]> {
  const { anvil, client, ...truthOptions } = options
  const block = await anvil.blockNumber()
  const truth = await readTruth(anvil.url, address, block, truthOptions)
  await client.untilSynced(address, block)
  // A replaced chain may be as high as before, so poll until the new one is stored.
  await expect.poll(async () => (await client.walk(address)).map(ownedPart), { interval: 50 }).toEqual(truth)
  return client.walk(address)
}
