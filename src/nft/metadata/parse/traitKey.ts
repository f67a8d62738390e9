import { createHash } from 'node:crypto'
import type { NormalizedAttribute } from './normalizedMetadata.ts'

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
