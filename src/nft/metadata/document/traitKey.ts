import { createHash } from 'node:crypto'
import type { NormalizedAttribute } from './normalizedMetadata.ts'

/** What a key is made of. */
export type Trait = Pick<NormalizedAttribute, 'trait_type' | 'value'>

/** A key longer than this many UTF-8 bytes becomes its hash: an index entry of Postgres ends at 2,704 bytes. */
const maxKeyBytes = 200

/**
 * The key by which `trait_count` counts a trait: its name and the text of its value, so 5 and "5" are one. It is `["Background","Red"]`, or
 * `sha256:` and 64 hex digits where that is long, and must stay the same in all releases, as its md5 is stored. Null where the trait
 * has no value: such traits are not counted.
 */
export function traitKey({ trait_type, value }: Trait): string | null {
  if (value === null) return null
  const key = JSON.stringify([trait_type, String(value)])
  if (key.length * 3 <= maxKeyBytes || Buffer.byteLength(key) <= maxKeyBytes) return key
  return `sha256:${createHash('sha256').update(key).digest('hex')}`
}
