import { hash } from 'node:crypto'
import type { Address } from '../util/hex.ts'

/** Into how many parts the work and the big tables are split. It never changes, as every stored key depends on it. */
export const partitionCount = 256

/** The partition of a contract or a wallet of a chain, and of everything that belongs to it: hash of both mod 256. */
export function partitionOf(chainId: bigint, address: Address): number {
  return hash('sha256', `${chainId}:${address}`, 'buffer').readUInt8(0)
}

/** SQL for what `partitionOf` gives, of expressions for the id of the chain and for the bytes of the address: 1 µs. */
export function partitionSql(chainId: string, address: string): string {
  return `get_byte(sha256(convert_to(${chainId}::text || ':0x' || encode(${address}, 'hex'), 'SQL_ASCII')), 0)::int2`
}

/** The partition of a stream and of everything that belongs to it: hash of its id (a UUID in lower case) mod 256. */
export function streamPartition(streamId: string): number {
  return hash('sha256', streamId.toLowerCase(), 'buffer').readUInt8(0)
}
