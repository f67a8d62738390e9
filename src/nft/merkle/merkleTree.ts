import type { Hex } from '../../util/hex.ts'
import { keccakBytes } from '../../util/keccak256.ts'
import { hashBytes } from './leaves.ts'

/**
 * The root of the tree that `StandardMerkleTree.of` of `@openzeppelin/merkle-tree` 1.0 makes of these leaves, in 32 bytes of memory a leaf
 * besides theirs. undefined: there is no leaf, and so no tree.
 *
 * The nodes of that tree, counted from its last leaf to the root, are the sorted leaves, then the hash of each two nodes, in their order:
 * node n + k is the hash of nodes 2k and 2k + 1, n being the number of leaves. Node n + k takes the place of node k, which is hashed by
 * then, so that the places of the leaves are enough for all nodes.
 */
export function merkleRoot(leaves: Buffer): Hex | undefined {
  const count = leaves.length / hashBytes
  if (count === 0) return undefined
  const nodes = Buffer.allocUnsafe(leaves.length)
  sortHashes(leaves, nodes)
  const hashPair = createPairHash()
  const at = (node: number) => (node % count) * hashBytes
  for (let k = 0; k < count - 1; k++) nodes.set(hashPair(nodes, at(2 * k), at(2 * k + 1)), k * hashBytes)
  const last = count === 1 ? 0 : (count - 2) * hashBytes
  return `0x${nodes.toString('hex', last, last + hashBytes)}`
}

/** All nodes of that tree, in 64 bytes of memory per leaf. */
export type MerkleTree = {
  /** The sibling hashes from a leaf to the root, for OpenZeppelin's MerkleProof; undefined: the leaf is not in the tree. */
  prove(leaf: Uint8Array): { root: Hex; proof: Hex[] } | undefined
}

export function createMerkleTree(leaves: Buffer): MerkleTree {
  const count = leaves.length / hashBytes
  const nodes = Buffer.allocUnsafe(2 * leaves.length)
  sortHashes(leaves, nodes)
  const sorted = nodes.subarray(0, leaves.length)
  const hashPair = createPairHash()
  for (let k = 0; k < count - 1; k++)
    nodes.set(hashPair(nodes, 2 * k * hashBytes, (2 * k + 1) * hashBytes), (count + k) * hashBytes)
  const textOf = (node: number): Hex => `0x${nodes.toString('hex', node * hashBytes, (node + 1) * hashBytes)}`
  return {
    prove(leaf) {
      const place = findHash(sorted, leaf)
      if (place < 0) return undefined
      const proof: Hex[] = []
      for (let node = place; node < 2 * count - 2; node = count + (node >> 1)) proof.push(textOf(node ^ 1))
      return { root: textOf(2 * count - 2), proof }
    },
  }
}

/** keccak256 of two nodes, the smaller one first, so that a proof needs no directions. */
function createPairHash(): (nodes: Buffer, a: number, b: number) => Uint8Array {
  const pair = Buffer.alloc(2 * hashBytes)
  return (nodes, a, b) => {
    const [first, second] = compareAt(nodes, a, nodes, b) <= 0 ? [a, b] : [b, a]
    nodes.copy(pair, 0, first, first + hashBytes)
    nodes.copy(pair, hashBytes, second, second + hashBytes)
    return keccakBytes(pair)
  }
}

function compareAt(a: Buffer, aAt: number, b: Buffer, bAt: number): number {
  return a.compare(b, bAt, bAt + hashBytes, aAt, aAt + hashBytes)
}

/**
 * Sorts hashes into `sorted`: by their first bits into buckets, then within each bucket. Hashes are evenly spread, so a bucket has one or two. Takes
 * 4 to 8 additional bytes per hash.
 */
function sortHashes(hashes: Buffer, sorted: Buffer): void {
  const count = hashes.length / hashBytes
  const bits = Math.min(31, Math.max(1, Math.ceil(Math.log2(count))))
  const bucketOf = (place: number) => hashes.readUInt32BE(place * hashBytes) >>> (32 - bits)
  const ends = new Uint32Array(2 ** bits + 1)
  for (let i = 0; i < count; i++) ends[bucketOf(i) + 1]!++
  for (let bucket = 1; bucket < ends.length; bucket++) ends[bucket]! += ends[bucket - 1]!
  // From here on, `ends[b]` is the next free place of bucket b, and finally the start of bucket b + 1.
  for (let i = 0; i < count; i++)
    hashes.copy(sorted, ends[bucketOf(i)]!++ * hashBytes, i * hashBytes, (i + 1) * hashBytes)
  let from = 0
  for (let bucket = 0; bucket < ends.length - 1; bucket++) {
    sortBucket(sorted, from, ends[bucket]!)
    from = ends[bucket]!
  }
}

const carried = Buffer.alloc(hashBytes)

/** Insertion sort of the hashes from place `from` to before `to`. */
function sortBucket(hashes: Buffer, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    let place = i
    while (place > from && compareAt(hashes, (place - 1) * hashBytes, hashes, i * hashBytes) > 0) place--
    if (place === i) continue
    hashes.copy(carried, 0, i * hashBytes, (i + 1) * hashBytes)
    hashes.copyWithin((place + 1) * hashBytes, place * hashBytes, i * hashBytes)
    carried.copy(hashes, place * hashBytes)
  }
}

/** The place of a hash among sorted ones; −1 if missing. */
function findHash(sorted: Buffer, hash: Uint8Array): number {
  const wanted = Buffer.from(hash)
  let [low, high] = [0, sorted.length / hashBytes]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareAt(sorted, middle * hashBytes, wanted, 0) < 0) low = middle + 1
    else high = middle
  }
  return low < sorted.length / hashBytes && compareAt(sorted, low * hashBytes, wanted, 0) === 0 ? low : -1
}
