import type { Hex } from '../../../util/hex.ts'

/** The data of a call: a selector and arguments that fill a word each, as numbers; an address is one too. */
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
