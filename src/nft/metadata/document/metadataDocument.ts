import { hash } from 'node:crypto'
import { maxShownDataUri } from '../../../util/documentBounds.ts'
import { openSlots } from './countSlots.ts'
import { mediaOf } from './mediaOf.ts'
import { normalizeMetadata } from './normalizeMetadata.ts'
import { type StoredTrait, storedTraits, traitHash } from './storedTraits.ts'

/** A token's metadata, ready to be stored. */
export type MetadataDocument = {
  /** JSON text as it came; null: the token URI leads to media and to no JSON. */
  text: string | null
  /** SHA-256 of the text, hex; without a text, of its replacement. */
  hash: string
  /** JSON text of the normalised form, a slot for each count. */
  normalized: string
  /** The traits that have a value, each once. */
  traits: StoredTrait[]
  media: StoredMedia | null
  /** The address of its film, sound or model, where that is none of `media` and no longer than a page shows. */
  animation: string | null
}

/** The address that a preview is made of, as a row holds it. */
export type StoredMedia = {
  /** The address. Of a data: URI that is too long to be shown, only the header: `data:image/png;base64,`. */
  url: string
  /** md5 of the whole address, 32 hex digits. If it is not the md5 of `url`, the address is to be read from the metadata. */
  hash: string
}

/** `value`: the decoded text; without a text, the replacement (`ownMedia`). */
export function metadataDocument(text: string | null, value: unknown, tokenId: bigint): MetadataDocument {
  const normalized = normalizeMetadata(value, tokenId)
  const media = mediaOf(value, tokenId)
  const animation = normalized.animation_url
  const hashes = normalized.attributes.map(traitHash)
  return {
    text,
    hash: hash('sha256', text ?? JSON.stringify(value)),
    normalized: openSlots(JSON.stringify(normalized), hashes),
    traits: storedTraits(normalized.attributes, hashes),
    media: media && { url: shownUrl(media.url), hash: hash('md5', media.url) },
    animation: animation === media?.url ? null : animation,
  }
}

/** Only data: URIs are longer than what is shown. Of one whose header does not end within 200 characters nothing is shown. */
function shownUrl(url: string): string {
  if (url.length <= maxShownDataUri) return url
  const header = /^data:([^,{<]{0,200})[,{<]/i.exec(url)?.[1] ?? ''
  return `data:${header},`
}
