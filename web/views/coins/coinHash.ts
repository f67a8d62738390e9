import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'

/** The hash by which the API names a coin: SHA-256 of the UTF-8 of its type, 64 hex digits. */
export function coinTypeHash(type: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(type)))
}

/** The hashes of the coins that a text may mean: 64 digits are a hash, or the address of a fungible asset. */
export function hashesOf(text: string): string[] {
  const { hash } = hashOf(text)
  const address = /^0x([0-9a-f]{1,64})$/i.exec(text)?.[1]?.toLowerCase()
  return address === undefined ? [hash] : [hash, coinTypeHash(`0x${address.padStart(64, '0')}`)]
}

/** The hash that a text names: a hash itself, with or without 0x, or that of a type. */
export function hashOf(text: string): { hash: string; isType: boolean } {
  const hash = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1]
  return hash === undefined ? { hash: coinTypeHash(text), isType: true } : { hash: hash.toLowerCase(), isType: false }
}
