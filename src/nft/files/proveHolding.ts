import type { Address, Hex } from '../../util/hex.ts'
import type { FileFormat } from '../fileQuery.ts'
import { createLeafHash, createLeaves } from '../merkle/leaves.ts'
import { merkleProof } from '../merkle/merkleTree.ts'
import { readHolderFile } from './readHolderFile.ts'

/** That an owner holds a token in a snapshot: the values of the leaf, and the proof for OpenZeppelin's MerkleProof. */
export type HoldingProof = { root: Hex; owner: Address; tokenId: string; amount: string; proof: Hex[] }

/** Proves a holding from a snapshot's file. undefined: the file does not have it. */
export async function proveHolding(
  { path, format }: { path: string; format: FileFormat },
  { owner, tokenId }: { owner: Address; tokenId: bigint },
): Promise<HoldingProof | undefined> {
  const leafHash = createLeafHash()
  const leaves = createLeaves()
  let found: { leaf: Uint8Array; amount: string } | undefined
  for await (const holders of readHolderFile(path, format))
    for (const holder of holders) {
      const amount = String(holder.amount)
      const leaf = leafHash(holder.owner, String(holder.tokenId), amount)
      leaves.add(leaf)
      if (holder.owner === owner && holder.tokenId === tokenId) found = { leaf, amount }
    }
  const proof = found && merkleProof(leaves.take(), found.leaf)
  return found && proof && { owner, tokenId: String(tokenId), amount: found.amount, ...proof }
}
