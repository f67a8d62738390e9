import type { Address } from '../../util/hex.ts'
import type { AskedToken, CollectionState } from '../query.ts'
import { tokenHash } from '../transfers/tokenHash.ts'

/** What is asked for of one collection. */
export type AskedOfOne = { state: CollectionState; address: Address; hashes: string[] }

/** Tokens in the order asked, each once, and by collection, so that one statement reads those of a collection. */
export function groupTokens(tokens: readonly AskedToken[]): {
  collections: AskedOfOne[]
  /** Each names its collection by the place in the list above. */
  inOrder: { collection: number; hash: string }[]
} {
  const collections: AskedOfOne[] = []
  const places = new Map<Address, number>()
  const known = new Set<string>()
  const inOrder: { collection: number; hash: string }[] = []
  for (const { state, address, tokenId } of tokens) {
    const hash = tokenHash(address, String(tokenId))
    if (known.has(hash)) continue
    known.add(hash)
    let collection = places.get(address)
    if (collection === undefined) {
      collection = collections.push({ state, address, hashes: [] }) - 1
      places.set(address, collection)
    }
    collections[collection]!.hashes.push(hash)
    inOrder.push({ collection, hash })
  }
  return { collections, inOrder }
}
