import { cleanText } from './cleanText.ts'
import type { NormalizedMetadata } from './normalizedMetadata.ts'
import { readAttributes } from './readAttributes.ts'
import { foldKey, foldKeys, isObject, type JsonObject } from './readKey.ts'
import { readUrl } from './readUrl.ts'

const maxNameLength = 1000
const maxDescriptionLength = 20_000

/**
 * A decoded metadata document in the one shape that clients see. Text keeps its markup as text, is free of NUL and lone
 * surrogates, and is bounded. With a `tokenId`, `{id}` in addresses is replaced as EIP-1155 asks. Any JSON value goes in;
 * never throws; the same in gives the same out, and what comes out normalises to itself.
 *
 * Sources: ERC-721 and ERC-1155 metadata JSON schema, EIP-1155 `properties`, the de-facto standard of the marketplaces.
 */
export function normalizeMetadata(value: unknown, tokenId: bigint | null = null): NormalizedMetadata {
  const document = foldKeys(isObject(value) ? value : {})
  const own = document.properties
  const properties = foldKeys(isObject(own) ? own : {})
  const both = [document, properties]
  return {
    name: readText(document, properties, ['name', 'title'], maxNameLength),
    description: readText(document, properties, ['description'], maxDescriptionLength),
    image: readFirst(both, imageKeys, tokenId),
    external_link: readFirst(both, linkKeys, tokenId),
    external_url: readFirst(both, externalKeys, tokenId),
    animation_url: readFirst(both, animationKeys, tokenId),
    attributes: readAttributes(isObject(value) ? value : {}),
  }
}

/** Documents are read by their folded keys, so `image_url` is `imageUrl`, `imageURL` and `Image URL` too. */
const imageKeys = ['image', 'image_url', 'image_uri', 'image_data', 'svg_image_data', 'preview_media_file'].map(foldKey)
const linkKeys = ['external_link', 'external_url', 'external_uri'].map(foldKey)
const externalKeys = ['external_url', 'external_uri', 'external_link'].map(foldKey)
const animationKeys = ['animation_url', 'animation_uri', 'animation'].map(foldKey)

/** The first key that gives an address, all of them in the document before those in its `properties`. */
function readFirst(objects: JsonObject[], keys: readonly string[], tokenId: bigint | null): string | null {
  for (const object of objects) {
    for (const key of keys) {
      const url = Object.hasOwn(object, key) ? readUrl(object[key], tokenId) : null
      if (url !== null) return url
    }
  }
  return null
}

/** Text of the document, else of its `properties`; '' only where every source is empty text. */
function readText(document: JsonObject, properties: JsonObject, keys: string[], maxLength: number): string | null {
  let empty: string | null = null
  for (const key of keys) {
    for (const object of [document, properties]) {
      const text = toText(Object.hasOwn(object, key) ? object[key] : undefined, maxLength)
      if (text) return text
      empty ??= text
    }
  }
  return empty
}

function toText(value: unknown, maxLength: number): string | null {
  if (typeof value === 'string') return cleanText(value, maxLength)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  // `properties: { name: { type: 'string', description: 'Tate Modern' } }`: the schema of ERC-721, filled in.
  return isObject(value) && typeof value.description === 'string' ? cleanText(value.description, maxLength) : null
}
