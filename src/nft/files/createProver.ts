import type { Address, Hex } from '../../util/hex.ts'
import type { FileFormat } from '../fileQuery.ts'
import { createLeafHash, createLeaves } from '../merkle/leaves.ts'
import { merkleProof } from '../merkle/merkleTree.ts'
import { readHolderFile } from './readHolderFile.ts'

/**
 * Proof that an owner holds a token in a snapshot: leaf values, leaf hash, and proof for OpenZeppelin's MerkleProof.
 */
export type HoldingProof = {
  root: Hex
  leaf: Hex
  owner: Address
  tokenId: string
  amount: string
  proof: Hex[]
  /** The first tokens of the owner; each has its own leaf. */
  tokenIds: string[]
}

/** Proves a holding from the rows of a snapshot. */
export type Prover = {
  /** Token id and amount are decimal digits, the owner is 0x and 40 lower-case hex digits. */
  add(tokenId: string, owner: string, amount: string): void
  /** undefined: the holding is not in the rows. Called once, after the last row. */
  finish(): HoldingProof | undefined
}

/** Most listed tokens of an owner. */
const mostListed = 1_000

/** `tokenId` null: the owner's first token. */
export function createProver({ owner, tokenId }: { owner: Address; tokenId: bigint | null }): Prover {
  const wanted = tokenId === null ? null : String(tokenId)
  const leafHash = createLeafHash()
  const leaves = createLeaves()
  const tokenIds: string[] = []
  let found: { leaf: Uint8Array; tokenId: string; amount: string } | undefined
  return {
    add(tokenId, holder, amount) {
      const leaf = leafHash(holder, tokenId, amount)
      leaves.add(leaf)
      if (holder !== owner) return
      if (tokenIds.length < mostListed) tokenIds.push(tokenId)
      if (!found && (wanted === null || wanted === tokenId)) found = { leaf: leaf.slice(), tokenId, amount }
    },
    finish() {
      const proof = found && merkleProof(leaves.take(), found.leaf)
      if (!found || !proof) return undefined
      const leaf: Hex = `0x${Buffer.from(found.leaf).toString('hex')}`
      return { ...proof, leaf, owner, tokenId: found.tokenId, amount: found.amount, tokenIds }
    },
  }
}

/** Proves a holding from a snapshot's file. undefined: the file does not have it. */
export async function proveHolding(
  { path, format }: { path: string; format: FileFormat },
  { owner, tokenId }: { owner: Address; tokenId: bigint },
): Promise<Omit<HoldingProof, 'leaf' | 'tokenIds'> | undefined> {
  const prover = createProver({ owner, tokenId })
  for await (const holders of readHolderFile(path, format))
    for (const holder of holders) prover.add(String(holder.tokenId), holder.owner, String(holder.amount))
  const found = prover.finish()
  if (!found) return undefined
  const { leaf: _, tokenIds: __, ...proof } = found
  return proof
}
