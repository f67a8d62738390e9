import { createHash, hash } from 'node:crypto'
import { uncounted } from './countSlots.ts'
import type { NormalizedAttribute } from './normalizedMetadata.ts'

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

/** The parts of a key. */
export type Trait = Pick<NormalizedAttribute, 'trait_type' | 'value'>

/** Longer keys, in UTF-8 bytes, become their hash: an index entry of PostgreSQL has at most 2,704 bytes. */
const maxKeyBytes = 200

/**
 * The key by which `trait_count` counts a trait: its name and the text of its value, so 5 and "5" are equal. It is `["Background","Red"]`, or
 * `sha256:` and 64 hex digits if that is long. It must stay the same in all releases, as its md5 is stored. Null for traits without a value, which
 * are not counted.
 */
export function traitKey({ trait_type, value }: Trait): string | null {
  if (value === null) return null
  const key = JSON.stringify([trait_type, String(value)])
  if (key.length * 3 <= maxKeyBytes || Buffer.byteLength(key) <= maxKeyBytes) return key
  return `sha256:${createHash('sha256').update(key).digest('hex')}`
}
