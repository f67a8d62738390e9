import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'

/** The id of a coin in the API: SHA-256 of its type in UTF-8, 64 hex digits. */
export function coinTypeHash(type: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(type)))
}

/** The possible hashes of a text: 64 digits are a hash, or the address of a fungible asset. */
export function hashesOf(text: string): string[] {
  const { hash } = hashOf(text)
  const address = /^0x([0-9a-f]{1,64})$/i.exec(text)?.[1]?.toLowerCase()
  return address === undefined ? [hash] : [hash, coinTypeHash(`0x${address.padStart(64, '0')}`)]
}

/** The hash of a type, or the text itself if it is a hash, with or without 0x. */
export function hashOf(text: string): { hash: string; isType: boolean } {
  const hash = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1]
  return hash === undefined ? { hash: coinTypeHash(text), isType: true } : { hash: hash.toLowerCase(), isType: false }
}
