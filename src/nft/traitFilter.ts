import { traitHash } from './metadata/document/storedTraits.ts'

/**
 * Which tokens are wanted, by keys of traits of 32 hex digits: those that have one trait of each list. Keys and lists are in one order, so
 * that filters that mean the same are equal.
 */
export type TraitFilter = readonly (readonly string[])[]

/** A trait that is requested, by the text of its value. No type: traits without one, or with an empty one. */
export type AskedTrait = { type: string; value: string }

/** The filter for tokens that have one of these traits for each type that is named. */
export function traitFilter(asked: readonly AskedTrait[]): TraitFilter {
  const types = new Map<string, Set<string>>()
  for (const { type, value } of asked) {
    const keys = types.get(type) ?? new Set()
    keys.add(traitHash({ trait_type: type, value }))
    if (type === '') keys.add(traitHash({ trait_type: null, value }))
    types.set(type, keys)
  }
  return Array.from(types.values(), (keys) => [...keys].sort()).sort((a, b) => (a[0]! < b[0]! ? -1 : 1))
}
