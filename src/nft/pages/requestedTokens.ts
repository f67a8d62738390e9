import type { Address } from '../../util/hex.ts'
import type { ShownCollection } from '../query.ts'

/** Requested tokens of one collection. */
export type RequestedOfOne = { state: ShownCollection; address: Address; hashes: string[] }

/** A requested token, 32 hex digits. */
type Requested = { state: ShownCollection; address: Address; hash: string }

/** Unique tokens by collection. */
export function groupTokens(requested: readonly Requested[]): {
  collections: RequestedOfOne[]
  /** Requested tokens in order, each with its collection's index in the list above. */
  inOrder: { collection: number; hash: string }[]
} {
  const collections: RequestedOfOne[] = []
  const places = new Map<Address, number>()
  const inOrder = requested.map(({ state, address, hash }) => {
    let collection = places.get(address)
    if (collection === undefined) {
      collection = collections.push({ state, address, hashes: [] }) - 1
      places.set(address, collection)
    }
    collections[collection]!.hashes.push(hash)
    return { collection, hash }
  })
  return { collections, inOrder }
}
