import type { Address } from '../../util/hex.ts'
import type { ShownCollection } from '../query.ts'

/** What is asked for of one collection. */
export type AskedOfOne = { state: ShownCollection; address: Address; hashes: string[] }

/** A token, 32 hex digits, that is asked for. */
type Asked = { state: ShownCollection; address: Address; hash: string }

/** Tokens by collection, each once, so that one statement reads those of a collection. */
export function groupTokens<T extends Asked>(
  asked: readonly T[],
): {
  collections: AskedOfOne[]
  /** What was asked for, in that order; each names its collection by the place in the list above. */
  inOrder: { collection: number; asked: T }[]
} {
  const collections: AskedOfOne[] = []
  const places = new Map<Address, number>()
  const known = new Set<string>()
  const inOrder = asked.map((one) => {
    const { state, address, hash } = one
    let collection = places.get(address)
    if (collection === undefined) {
      collection = collections.push({ state, address, hashes: [] }) - 1
      places.set(address, collection)
    }
    if (!known.has(hash)) collections[collection]!.hashes.push(hash)
    known.add(hash)
    return { collection, asked: one }
  })
  return { collections, inOrder }
}
