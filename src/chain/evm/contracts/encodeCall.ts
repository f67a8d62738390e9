import { type Address, type Hex, zeroAddress } from '../../../util/hex.ts'

/** The data of a call: a selector, and one-word arguments as numbers (also for addresses). */
export function encodeCall(selector: Hex, words: readonly bigint[]): Hex {
  return `${selector}${words.map((word) => word.toString(16).padStart(64, '0')).join('')}`
}

/** `supportsInterface(bytes4)` of ERC-165. */
export function encodeSupports(id: Hex): Hex {
  return `0x01ffc9a7${id.slice(2).padEnd(64, '0')}`
}

/** `ownerOf(uint256)` of ERC-721. */
export function encodeOwnerOf(id: bigint): Hex {
  return encodeCall('0x6352211e', [id])
}

/**
 * The owner in an answer of `ownerOf`: the address in the first word, as ABI decoders read it, whatever follows. Undefined for the zero address and
 * for anything else.
 */
export function decodeOwner(data: Hex | undefined): Address | undefined {
  const owner = /^0x0{24}([0-9a-f]{40})/i.exec(data ?? '')?.[1]?.toLowerCase()
  return owner === undefined || `0x${owner}` === zeroAddress ? undefined : `0x${owner}`
}
