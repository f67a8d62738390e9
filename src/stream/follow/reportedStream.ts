import { type Address, hexToBuffer } from '../../util/hex.ts'
import type { Brought } from '../definition/streamAddition.ts'
import { packAddresses, unpackAddresses } from '../definition/streamAddresses.ts'
import { addressChange, type StreamChange, type StreamShape } from '../definition/streamChange.ts'
import type { Watched } from '../definition/watchedSpans.ts'
import type { LoadedStream } from './createChainStreams.ts'

export type ReportedStreamOptions = {
  /**
   * The stream's never removed addresses, packed, by the first block of their matches; undefined: the stream's first
   * block.
   */
  steady: ReadonlyMap<bigint | undefined, Buffer>
  /** The stream's addresses that were ever removed. */
  watched: Watched
  /** Addresses of additions, with the block at which the stream itself matches them. */
  pending: ReadonlyMap<Address, bigint>
}

/** Addresses of additions, with the block at which the stream itself matches them. */
export function pendingAddresses(additions: readonly { ownFrom: bigint; addresses: Buffer }[]): Map<Address, bigint> {
  const pending = new Map<Address, bigint>()
  for (const { ownFrom, addresses } of additions)
    for (const address of unpackAddresses(addresses))
      if (ownFrom > (pending.get(address) ?? -1n)) pending.set(address, ownFrom)
  return pending
}

/** A shape that matches only listed addresses. */
export function ofSingleAddresses(shape: StreamShape): StreamShape {
  return { ...shape, definition: { ...shape.definition, allAddresses: false } }
}

/** Matches of additions, as streams that watched their addresses in the read blocks: one per definition. */
export function broughtStreams({ place }: LoadedStream, brought: readonly Brought[]): LoadedStream[] {
  return [...Map.groupBy(brought, ({ shape }) => JSON.stringify(shape)).values()].map((own) => {
    const { shape } = own[0]!
    const changes = own.flatMap(({ from, to, addresses }) => [
      addressChange(place, { effective: to, removed: addresses }),
      addressChange(place, { effective: from, added: addresses }),
    ])
    // At one block, removals precede additions.
    const order = (a: StreamChange, b: StreamChange) =>
      Number(a.effective - b.effective) || Number(b.removed !== null) - Number(a.removed !== null)
    return {
      place: { ...place, fromBlock: 0n },
      shape: ofSingleAddresses(shape),
      addresses: null,
      changes: changes.sort(order),
    }
  })
}

/**
 * The stream's own matches of blocks, without pending additions: each address is watched from the first block whose
 * matches the stream has.
 */
export function reportedStream(
  loaded: LoadedStream,
  { steady, watched, pending }: ReportedStreamOptions,
): LoadedStream {
  const { place, shape, changes } = loaded
  const { fromBlock } = place
  const arrived = [...steady].flatMap(([block = fromBlock, packed]) =>
    [...unpackAddresses(packed)].map((address) => ({
      own: hexToBuffer(address),
      since: pending.get(address) ?? block,
    })),
  )
  const arrivals = [...Map.groupBy(arrived, ({ since }) => since)].map(([effective, group]) =>
    addressChange(place, { effective, added: packAddresses(group.map(({ own }) => own)) }),
  )
  const shapes = changes.map((change) => ({ ...change, added: null, removed: null }))
  return {
    place,
    shape,
    addresses: packAddresses([...arrived.map(({ own }) => own), ...watched.addresses]),
    changes: [...shapes, ...watched.changes, ...arrivals].sort((a, b) => Number(a.effective - b.effective)),
  }
}
