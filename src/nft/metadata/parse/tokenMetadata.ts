import { hash } from 'node:crypto'
import { maxShownDataUri } from '../../../util/metadataBounds.ts'
import { openSlots } from './countSlots.ts'
import { mediaOf } from './mediaOf.ts'
import { normalizeMetadata } from './normalizeMetadata.ts'
import { type StoredTrait, storedTraits, traitHash } from './storedTraits.ts'

/** A token's metadata, ready to be stored. */
export type TokenMetadata = {
  /** Original JSON text; null: the token URI leads to media instead of JSON. */
  text: string | null
  /** SHA-256 of the text, hex; without a text, of its replacement. */
  hash: string
  /** Normalized metadata as JSON, with a slot per count. */
  normalized: string
  /** Unique traits with values. */
  traits: StoredTrait[]
  media: StoredMedia | null
  /** URL of its video, audio file or model, unless it is the one of `media` or too long for a page. */
  animation: string | null
}

/** The stored URL for a preview. */
export type StoredMedia = {
  /** The URL. For a data: URI that is too long to show, only the header: `data:image/png;base64,`. */
  url: string
  /** md5 of the whole URL, 32 hex digits. If it is not the md5 of `url`, the URL must be read from the metadata. */
  hash: string
}

/** `value`: the decoded text; without a text, the replacement (`ownMedia`). */
export function tokenMetadata(text: string | null, value: unknown, tokenId: bigint): TokenMetadata {
  const normalized = normalizeMetadata(value, tokenId)
  const media = mediaOf(value, tokenId)
  const animation = normalized.animation_url
  const hashes = normalized.attributes.map(traitHash)
  return {
    text,
    hash: hash('sha256', text ?? JSON.stringify(value)),
    normalized: openSlots(JSON.stringify(normalized), hashes),
    traits: storedTraits(normalized.attributes, hashes),
    media: media === null ? null : { url: shownUrl(media), hash: hash('md5', media) },
    animation: animation === media ? null : animation,
  }
}

/** Only data: URIs exceed the shown length. If the header exceeds 200 characters, nothing is shown. */
function shownUrl(url: string): string {
  if (url.length <= maxShownDataUri) return url
  const header = /^data:([^,{<]{0,200})[,{<]/i.exec(url)?.[1] ?? ''
  return `data:${header},`
}
