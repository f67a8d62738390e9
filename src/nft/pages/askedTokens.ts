import type { Address } from '../../util/hex.ts'
import type { ShownCollection } from '../query.ts'

/** What is requested of one collection. */
export type AskedOfOne = { state: ShownCollection; address: Address; hashes: string[] }

/** A token, 32 hex digits, that is requested. */
type Asked = { state: ShownCollection; address: Address; hash: string }

/** Tokens, each named once, by collection. */
export function groupTokens(asked: readonly Asked[]): {
  collections: AskedOfOne[]
  /** What was requested, in that order; each names its collection by the place in the list above. */
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
