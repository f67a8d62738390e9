import type { Address } from '../../util/hex.ts'
import type { ShownCollection } from '../query.ts'

/** Requested tokens of one collection. */
export type AskedOfOne = { state: ShownCollection; address: Address; hashes: string[] }

/** A requested token, 32 hex digits. */
type Asked = { state: ShownCollection; address: Address; hash: string }

/** Unique tokens by collection. */
export function groupTokens(asked: readonly Asked[]): {
  collections: AskedOfOne[]
  /** Requested tokens in order, each with its collection's index in the list above. */
  inOrder: { collection: number; hash: string }[]
} {
  const collections: AskedOfOne[] = []
  const places = new Map<Address, number>()
  const inOrder = asked.map(({ state, address, hash }) => {
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
