import { hash } from 'node:crypto'

/** The partition of a stream and of everything that belongs to it: hash of its id (a UUID in lower case) mod 256. */
export function streamPartition(streamId: string): number {
  return hash('sha256', streamId.toLowerCase(), 'buffer').readUInt8(0)
}
