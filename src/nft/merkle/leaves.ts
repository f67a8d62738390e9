import { ConflictError } from '../../util/errors.ts'
import { keccakBytes } from '../../util/keccak256.ts'

/** Bytes of a hash. */
export const hashBytes = 32

/** The largest number in a word of a leaf. */
export const mostAmount = 2n ** 256n - 1n

/**
 * Writes the hash of a leaf: keccak256(keccak256(abi.encode(address owner, uint256 tokenId, uint256 amount))), as the standard tree of
 * `@openzeppelin/merkle-tree`. The owner is 0x and 40 hex digits, both numbers are decimal. Throws ConflictError for a number above `mostAmount`,
 * which a contract can reach by moving tokens that nobody has.
 */
export function createLeafHash(): (owner: string, tokenId: string, amount: string) => Uint8Array {
  const words = Buffer.alloc(3 * hashBytes)
  return (owner, tokenId, amount) => {
    words.write(owner.slice(2), 12, 'hex')
    writeWord(words, hashBytes, tokenId)
    writeWord(words, 2 * hashBytes, amount)
    return keccakBytes(keccakBytes(words))
  }
}

/** Most digits of a decimal that is always exact as a double. */
const exactDigits = 15

function writeWord(words: Buffer, at: number, digits: string): void {
  const end = at + hashBytes
  if (digits.length <= exactDigits) {
    words.fill(0, at, end - 8)
    words.writeUInt16BE(Math.floor(Number(digits) / 2 ** 48), end - 8)
    words.writeUIntBE(Number(digits) % 2 ** 48, end - 6, 6)
    return
  }
  const value = BigInt(digits)
  if (value > mostAmount) throw new ConflictError(`no leaf of a Merkle tree can hold the amount ${digits}`)
  words.write(value.toString(16).padStart(2 * hashBytes, '0'), at, 'hex')
}

/** Concatenated hashes of leaves in insertion order, 32 bytes each. */
export type Leaves = {
  add(hash: Uint8Array): void
  readonly count: number
  /** Returns the bytes of all, and empties the list. */
  take(): Buffer
}

/** Growth of the list in bytes: whole blocks, as a doubling list would hold three times its bytes while it is copied. */
const blockBytes = 32_768 * hashBytes

export function createLeaves(): Leaves {
  let blocks: Buffer[] = []
  let count = 0
  return {
    add(hash) {
      const at = (count * hashBytes) % blockBytes
      if (at === 0) blocks.push(Buffer.allocUnsafe(blockBytes))
      blocks.at(-1)!.set(hash, at)
      count++
    },
    get count() {
      return count
    },
    take() {
      const bytes = Buffer.concat(blocks, count * hashBytes)
      blocks = []
      count = 0
      return bytes
    },
  }
}
