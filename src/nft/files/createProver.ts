import type { Address, Hex } from '../../util/hex.ts'
import type { FileFormat } from '../fileQuery.ts'
import { createLeafHash, createLeaves } from '../merkle/leaves.ts'
import { createMerkleTree, type MerkleTree } from '../merkle/merkleTree.ts'
import { createOwnRows, type HeldRow, mostListed } from './heldRows.ts'
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

/** A requested proof. `tokenId` null: of the owner's first token. */
export type RequestedProof = { owner: Address; tokenId: bigint | null }

/** Proves holdings from the rows of a snapshot. */
export type Prover = {
  /** Token id and amount are decimal digits, the owner is 0x and 40 lower-case hex digits. */
  add(tokenId: string, owner: string, amount: string): void
  /** Called after the last row. `held`: the rows of the owner, in order. undefined: they do not have the holding. */
  prove(requested: RequestedProof, held: Iterable<HeldRow>): HoldingProof | undefined
}

export function createProver(): Prover {
  const leafHash = createLeafHash()
  const leaves = createLeaves()
  let tree: MerkleTree | undefined
  return {
    add(tokenId, owner, amount) {
      leaves.add(leafHash(owner, tokenId, amount))
    },
    prove({ owner, tokenId }, held) {
      const wanted = tokenId === null ? null : String(tokenId)
      const tokenIds: string[] = []
      let found: HeldRow | undefined
      for (const row of held) {
        if (tokenIds.length < mostListed) tokenIds.push(row.tokenId)
        if (!found && (wanted === null || wanted === row.tokenId)) found = row
        if (found && tokenIds.length >= mostListed) break
      }
      if (!found) return undefined
      tree ??= createMerkleTree(leaves.take())
      const leaf = Buffer.from(leafHash(owner, found.tokenId, found.amount))
      const proof = tree.prove(leaf)
      return proof && { ...proof, leaf: `0x${leaf.toString('hex')}`, owner, ...found, tokenIds }
    },
  }
}

/** Proves a holding from a snapshot's file. undefined: the file does not have it. */
export async function proveHolding(
  { path, format }: { path: string; format: FileFormat },
  requested: { owner: Address; tokenId: bigint },
): Promise<Omit<HoldingProof, 'leaf' | 'tokenIds'> | undefined> {
  const prover = createProver()
  const held = createOwnRows(requested)
  for await (const holders of readHolderFile(path, format))
    for (const holder of holders) {
      const [tokenId, amount] = [String(holder.tokenId), String(holder.amount)]
      prover.add(tokenId, holder.owner, amount)
      held.add(tokenId, holder.owner, amount)
    }
  const found = prover.prove(requested, held.rows)
  if (!found) return undefined
  const { leaf: _, tokenIds: __, ...proof } = found
  return proof
}
