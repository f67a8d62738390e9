import { createHash } from 'node:crypto'
import type { NormalizedAttribute, NormalizedMetadata } from './normalizedMetadata.ts'

/** A key longer than this many UTF-8 bytes becomes its hash: an index entry of Postgres ends at 2,704 bytes. */
const maxKeyBytes = 200

/**
 * What `trait_count` counts by: the trait's name and the text of its value, so 5 and "5" are one. Stable across releases,
 * as it is stored: `["Background","Red"]`, or `sha256:` and 64 hex digits where that is long. Null where the trait has no
 * value, which is not counted.
 */
export function traitKey({ trait_type, value }: Pick<NormalizedAttribute, 'trait_type' | 'value'>): string | null {
  if (value === null) return null
  const key = JSON.stringify([trait_type, String(value)])
  if (key.length * 3 <= maxKeyBytes || Buffer.byteLength(key) <= maxKeyBytes) return key
  return `sha256:${createHash('sha256').update(key).digest('hex')}`
}

/** The keys that one token counts for, each once however often its document repeats the trait, in order of appearance. */
export function traitKeys(normalized: Pick<NormalizedMetadata, 'attributes'>): string[] {
  const keys = new Set<string>()
  for (const attribute of normalized.attributes) {
    const key = traitKey(attribute)
    if (key !== null) keys.add(key)
  }
  return [...keys]
}
