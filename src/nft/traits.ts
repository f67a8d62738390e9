import { traitHash } from './metadata/parse/storedTraits.ts'

/** Selects tokens by trait keys of 32 hex digits: one trait of each list. Keys and lists are sorted, so that equivalent filters are equal. */
export type TraitFilter = readonly (readonly string[])[]

/** A requested trait, by the text of its value. An empty type: traits with an empty type or none. */
export type RequestedTrait = { type: string; value: string }

/** Filter of tokens that have one of these traits for each given type. */
export function traitFilter(requested: readonly RequestedTrait[]): TraitFilter {
  const types = new Map<string, Set<string>>()
  for (const { type, value } of requested) {
    const keys = types.get(type) ?? new Set()
    keys.add(traitHash({ trait_type: type, value }))
    if (type === '') keys.add(traitHash({ trait_type: null, value }))
    types.set(type, keys)
  }
  return Array.from(types.values(), (keys) => [...keys].sort()).sort((a, b) => (a[0]! < b[0]! ? -1 : 1))
}

/** A trait of a collection's tokens. */
export type ListedTrait = {
  /** The trait type; null: none. */
  type: string | null
  /** JSON text of the value. */
  value: string
  /** Number of tokens with it. */
  tokens: number
  /** Number of tokens with metadata, in the same snapshot. */
  documents: number
}

/** End of a page of traits: prefixes of type and value, and the trait's key. */
export type TraitPlace = [type: string, value: string, key: string]

/** Traits by type and value; `next`: where the next page begins, null on the last one. */
export type TraitPage = { traits: ListedTrait[]; next: TraitPlace | null }
