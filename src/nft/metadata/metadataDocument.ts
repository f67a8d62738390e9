import { hash } from 'node:crypto'
import { openSlots, uncounted } from './countSlots.ts'
import { mediaOf } from './mediaOf.ts'
import { normalizeMetadata } from './normalizeMetadata.ts'
import { traitKey } from './traitKeys.ts'

/** A token's document, ready to be stored. */
export type MetadataDocument = {
  /** JSON text as it came. */
  text: string
  /** SHA-256 of the text, hex. */
  hash: string
  /** JSON text of the normalised form, a slot for each count. */
  normalized: string
  /** One for each attribute, in order: md5 of its key as hex, or 32 zeros where it has no value and is not counted. */
  traits: string[]
  mediaUrl: string | null
}

/** Longer addresses, data: URIs mostly, are previewed too; this is what a row should hold at most. */
const maxMediaUrl = 1_000_000

export function metadataDocument(text: string, value: unknown, tokenId: bigint): MetadataDocument {
  const normalized = normalizeMetadata(value, tokenId)
  const media = mediaOf(normalized)
  const traits = normalized.attributes.map((attribute) => {
    const key = traitKey(attribute)
    return key === null ? uncounted : hash('md5', key)
  })
  return {
    text,
    hash: hash('sha256', text),
    normalized: openSlots(JSON.stringify(normalized), traits),
    traits,
    mediaUrl: media && media.url.length <= maxMediaUrl ? media.url : null,
  }
}
