import type { Transfer } from './transfer.ts'

/** Most transfers that are merged at once: memory stays bounded however many a range or a block holds. */
export const chunkSize = 50_000

export function* chunksOf(transfers: Iterable<Transfer>): Generator<Transfer[]> {
  let chunk: Transfer[] = []
  for (const transfer of transfers) {
    chunk.push(transfer)
    if (chunk.length < chunkSize) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
