import { type Address, hexToBuffer } from '../../util/hex.ts'
import type { StreamAddition } from '../definition/streamAddition.ts'
import { packAddresses, unpackAddresses } from '../definition/streamAddresses.ts'
import type { Watched } from '../definition/watchedSpans.ts'
import type { LoadedStream } from './createChainStreams.ts'

export type ToldStreamOptions = {
  /**
   * The stream's addresses that were never removed, packed, by the block from which on the stream has their matches; undefined: from
   * the stream's own beginning on.
   */
  steady: ReadonlyMap<bigint | undefined, Buffer>
  /** The stream's addresses that were ever removed. */
  watched: Watched
  /** Addresses whose history is still to be read, with the block that it ends before. */
  pending: ReadonlyMap<Address, bigint>
}

/** Addresses whose history is still to be read, with the block that it ends before. `added`: addresses of the additions, by number. */
export function pendingAddresses(
  additions: readonly StreamAddition[],
  added: ReadonlyMap<bigint, Buffer>,
): Map<Address, bigint> {
  const pending = new Map<Address, bigint>()
  for (const { number, toBlock } of additions)
    for (const address of unpackAddresses(added.get(number)!))
      if (toBlock > (pending.get(address) ?? -1n)) pending.set(address, toBlock)
  return pending
}

/**
 * The stream as it matched, or will match, blocks without the additions that are to be read: each of its addresses is watched from
 * the block from which on the stream has the address' matches.
 */
export function toldStream(loaded: LoadedStream, { steady, watched, pending }: ToldStreamOptions): LoadedStream {
  const { place, shape, changes } = loaded
  const { partition, streamId, fromBlock } = place
  const arrived = [...steady].flatMap(([block = fromBlock, packed]) =>
    [...unpackAddresses(packed)].map((address) => ({
      own: hexToBuffer(address),
      since: pending.get(address) ?? block,
    })),
  )
  const common = { seq: 0n, partition, streamId, before: null, after: null, gone: false, removed: null }
  const arrivals = [...Map.groupBy(arrived, ({ since }) => since)].map(([effective, group]) => ({
    ...common,
    effective,
    added: packAddresses(group.map(({ own }) => own)),
  }))
  const shapes = changes.map((change) => ({ ...change, added: null, removed: null }))
  // A stream that ever watched all addresses had them from its own beginning on.
  const everAll = [shape, ...changes.flatMap(({ before, after }) => [before, after])].some(
    (one) => one?.definition.allAddresses,
  )
  return {
    place: everAll ? place : { ...place, fromBlock: 0n },
    shape,
    addresses: packAddresses([...arrived.map(({ own }) => own), ...watched.addresses]),
    changes: [...shapes, ...watched.changes, ...arrivals].sort((a, b) => Number(a.effective - b.effective)),
  }
}
