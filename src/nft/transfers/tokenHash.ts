import { hash } from 'node:crypto'
import type { Address } from '../../util/hex.ts'

/** md5 of the lower-case contract address and the decimal token id: 32 hex digits. Pages and parts of a collection have its order. */
export function tokenHash(address: Address, tokenId: string): string {
  return hash('md5', address + tokenId)
}

/** No token has a hash below or above these. */
export const lowestHash = '0'.repeat(32)
export const highestHash = 'f'.repeat(32)

/** SQL for what `tokenHash` gives, as a uuid, of expressions for the bytes of the address and for the token id. */
export const tokenHashSql = (address: string, tokenId: string) =>
  `md5('0x' || encode(${address}, 'hex') || ${tokenId}::text)::uuid`

/** SQL condition: the rows `a` and `b` are of one token. */
export const sameToken = (a: string, b: string) =>
  `${a}.partition = ${b}.partition AND ${a}.collection_id = ${b}.collection_id AND ${a}.token_hash = ${b}.token_hash`
