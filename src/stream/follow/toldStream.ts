import { type Address, hexToBuffer } from '../../util/hex.ts'
import type { StreamAddition } from '../definition/streamAddition.ts'
import { packAddresses, unpackAddresses } from '../definition/streamAddresses.ts'
import type { Watched } from '../definition/watchedSpans.ts'
import type { LoadedStream } from './createChainStreams.ts'

export type ToldStreamOptions = {
  /**
   * Its addresses that were never removed, packed, by the first block from which on it has what they give; undefined: from its own
   * beginning on.
   */
  steady: ReadonlyMap<bigint | undefined, Buffer>
  /** Those that were ever removed. */
  watched: Watched
  /** Addresses whose history is still to be read, by the block up to which. */
  pending: ReadonlyMap<Address, bigint>
}

/** Up to which block the history of addresses is still to be read. `added`: the addresses of the additions, by number. */
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

/** A stream with what it has told, or will tell, of blocks before this addition: each address holds from the block on from which it has what that gives. */
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
  // All addresses it had, if ever, from its own beginning on.
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
