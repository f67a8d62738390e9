import { hash } from 'node:crypto'
import { uncounted } from './countSlots.ts'
import type { NormalizedAttribute } from './normalizedMetadata.ts'
import { type Trait, traitKey } from './traitKey.ts'

/** A trait with a value, as in `trait_count`. */
export type StoredTrait = {
  /** `traitHash` of the trait. */
  hash: string
  /** Type of the trait; null: the metadata has none. */
  type: string | null
  /** JSON text of the value, which is a text, a number or a boolean. */
  value: string
}

/** md5 of a trait's key, as 32 hex digits; zeros if it has no value and is not counted. */
export function traitHash(trait: Trait): string {
  const key = traitKey(trait)
  return key === null ? uncounted : hash('md5', key)
}

/** Unique attributes with values, in order of first occurrence. `hashes`: of each attribute, in order. */
export function storedTraits(attributes: readonly NormalizedAttribute[], hashes: readonly string[]): StoredTrait[] {
  const found = new Map<string, StoredTrait>()
  for (const [i, { trait_type, value }] of attributes.entries()) {
    const hash = hashes[i]!
    if (hash !== uncounted && !found.has(hash))
      found.set(hash, { hash, type: trait_type, value: JSON.stringify(value) })
  }
  return [...found.values()]
}
