import { hash } from 'node:crypto'
import type { Address } from '../util/hex.ts'

/** Number of partitions of work and large tables. It never changes, as every stored key depends on it. */
export const partitionCount = 256

/** Partition of a chain's contract or wallet with its data: hash of both mod 256. */
export function partitionOf(chainId: bigint, address: Address): number {
  return hash('sha256', `${chainId}:${address}`, 'buffer').readUInt8(0)
}

/** SQL of `partitionOf`, from expressions of the chain id and the address bytes: 1 µs. */
export function partitionSql(chainId: string, address: string): string {
  return `get_byte(sha256(convert_to(${chainId}::text || ':0x' || encode(${address}, 'hex'), 'SQL_ASCII')), 0)::int2`
}

/** Partition of a stream with its data: hash of its id (a lower-case UUID) mod 256. */
export function streamPartition(streamId: string): number {
  return hash('sha256', streamId.toLowerCase(), 'buffer').readUInt8(0)
}
