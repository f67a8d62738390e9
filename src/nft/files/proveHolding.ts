import type { Address } from '../../util/hex.ts'
import type { FileFormat } from '../fileQuery.ts'
import { createProver, type HoldingProof } from './createProver.ts'
import { readHolderFile } from './readHolderFile.ts'

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
