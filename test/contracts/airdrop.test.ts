import { expect, test } from 'vitest'
import { createLeafHash, createLeaves } from '../../src/nft/merkle/leaves.ts'
import { createMerkleTree } from '../../src/nft/merkle/merkleTree.ts'
import type { Address, Hex } from '../../src/util/hex.ts'
import { RevertedError, startAnvil } from '../anvil.ts'
import { airdrop } from './artifacts/airdrop.ts'

type Holding = [owner: Address, tokenId: bigint, amount: bigint]

test('behavior: a contract with OpenZeppelin’s MerkleProof accepts the proofs of all holders, and rejects altered ones', async () => {
  await using anvil = await startAnvil()
  const [alice, bob] = anvil.accounts as [Address, Address]
  const held: Holding[] = Array.from({ length: 7 }, (_, i) => [i % 2 ? alice : bob, BigInt(i) ** 40n, BigInt(i + 1)])
  const leafHash = createLeafHash()
  const hashOf = ([owner, tokenId, amount]: Holding) => leafHash(owner, String(tokenId), String(amount))
  function proofOf(holding: Holding) {
    const leaves = createLeaves()
    for (const one of held) leaves.add(hashOf(one))
    return createMerkleTree(leaves.take()).prove(hashOf(holding))!
  }
  const to = await anvil.deploy(airdrop, [proofOf(held[0]!).root])
  const claim = (holding: Holding, proof: readonly Hex[]) =>
    anvil.send({ to, abi: airdrop.abi, functionName: 'claim', args: [...holding, [...proof]] })
  const rejected = (holding: Holding, proof: readonly Hex[]) =>
    expect(claim(holding, proof)).rejects.toBeInstanceOf(RevertedError)
  for (const holding of held) {
    const { proof } = proofOf(holding)
    const [owner, tokenId, amount] = holding
    await rejected([owner, tokenId, amount + 1n], proof)
    await rejected([owner === alice ? bob : alice, tokenId, amount], proof)
    await rejected([owner, tokenId + 1n, amount], proof)
    await rejected(holding, proof.with(0, `0x${'1'.repeat(64)}`))
    await claim(holding, proof)
    await rejected(holding, proof)
  }
})
