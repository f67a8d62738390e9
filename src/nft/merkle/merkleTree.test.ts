import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLeafHash, createLeaves, mostAmount } from './leaves.ts'
import { createMerkleTree, merkleRoot } from './merkleTree.ts'

type Holding = [owner: string, tokenId: string, amount: string]

const leafHash = createLeafHash()

function leavesOf(holdings: readonly Holding[]): Buffer {
  const leaves = createLeaves()
  for (const holding of holdings) leaves.add(leafHash(...holding))
  return leaves.take()
}

const published = (holdings: Holding[]) => StandardMerkleTree.of(holdings, ['address', 'uint256', 'uint256'])

const number = fc
  .oneof(fc.bigInt({ min: 0n, max: mostAmount }), fc.bigInt({ min: 0n, max: 2n ** 64n }), fc.nat().map(BigInt))
  .map(String)
const owner = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
const holdings = fc.uniqueArray(fc.tuple(owner, number, number), {
  minLength: 1,
  maxLength: 40,
  selector: (holding) => holding.join(),
})

test('behavior: root and proofs match those of the published package, for any holders in any order', () => {
  fc.assert(
    fc.property(holdings, (held) => {
      const tree = published(held)
      const leaves = leavesOf(held)
      const own = createMerkleTree(leaves)
      for (const [place, holding] of tree.entries()) {
        const proof = own.prove(leafHash(...holding))
        expect(proof).toEqual({ root: tree.root, proof: tree.getProof(place) })
      }
      expect(merkleRoot(leaves)).toBe(tree.root)
    }),
    { numRuns: 40 },
  )
})

test('behavior: numbers around the limits of doubles and words are hashed as in the published package', () => {
  const bounds = [0n, 1n, 2n ** 48n - 1n, 2n ** 48n, 999_999_999_999_999n, 10n ** 15n, 2n ** 53n + 1n, mostAmount]
  const held = bounds.flatMap((id): Holding[] =>
    bounds.map((amount) => [`0x${'fe'.repeat(20)}`, String(id), String(amount)]),
  )
  expect(merkleRoot(leavesOf(held))).toBe(published(held).root)
})

test('behavior: leaves whose hashes share their first bits are sorted', () => {
  const held = Array.from({ length: 1_000 }, (_, i): Holding => [`0x${'ab'.repeat(20)}`, String(i), '1'])
  expect(merkleRoot(leavesOf(held))).toBe(published(held).root)
})

test('behavior: a missing leaf has no proof, and an empty tree has no root', () => {
  const held: Holding[] = [[`0x${'ab'.repeat(20)}`, '1', '1']]
  expect(createMerkleTree(leavesOf(held)).prove(leafHash(held[0]![0], '1', '2'))).toBeUndefined()
  expect(createMerkleTree(leavesOf([])).prove(leafHash(...held[0]!))).toBeUndefined()
  expect(merkleRoot(leavesOf([]))).toBeUndefined()
})
