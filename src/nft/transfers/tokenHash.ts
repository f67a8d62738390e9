import { hash } from 'node:crypto'
import type { Address } from '../../util/hex.ts'

/** md5 of the lower-case contract address and the decimal token id: 32 hex digits. Defines the order of pages and the parts of a collection. */
export function tokenHash(address: Address, tokenId: string): string {
  return hash('md5', address + tokenId)
}

/** Bounds of all token hashes. */
export const lowestHash = '0'.repeat(32)
export const highestHash = 'f'.repeat(32)

/** SQL of `tokenHash` as a uuid, from expressions of the address bytes and the token id. */
export const tokenHashSql = (address: string, tokenId: string) =>
  `md5('0x' || encode(${address}, 'hex') || ${tokenId}::text)::uuid`

/** SQL condition: rows `a` and `b` are of one token. */
export const sameToken = (a: string, b: string) =>
  `${a}.partition = ${b}.partition AND ${a}.collection_id = ${b}.collection_id AND ${a}.token_hash = ${b}.token_hash`
