import { hash } from 'node:crypto'
import type { Address } from '../../util/hex.ts'

/** md5 of the lower-case contract address and the decimal token id: 32 hex digits. It orders and splits a collection. */
export function tokenHash(address: Address, tokenId: string): string {
  return hash('md5', address + tokenId)
}

/** SQL that holds where rows of two tables, told by their aliases, are of one token. */
export const sameToken = (a: string, b: string) =>
  `${a}.partition = ${b}.partition AND ${a}.collection_id = ${b}.collection_id AND ${a}.token_hash = ${b}.token_hash`
