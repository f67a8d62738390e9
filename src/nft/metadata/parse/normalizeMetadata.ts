import { maxShownDataUri } from '../../../util/metadataBounds.ts'
import { cleanText } from './cleanText.ts'
import { foldMetadata, readFoldedUrl } from './foldedUrls.ts'
import type { NormalizedMetadata } from './normalizedMetadata.ts'
import { readAttributes } from './readAttributes.ts'
import { isObject, type JsonObject } from './readKey.ts'

const maxNameLength = 1000
const maxDescriptionLength = 20_000

/**
 * Converts decoded metadata into the form of answers. Text keeps its markup, has no NUL or lone surrogates, and is bounded. With a `tokenId`,
 * replaces `{id}` in URLs as EIP-1155 requires. Accepts any JSON value; never throws. Deterministic and idempotent.
 *
 * Sources: ERC-721 and ERC-1155 metadata JSON schema, EIP-1155 `properties`, the de-facto standard of the marketplaces.
 */
export function normalizeMetadata(value: unknown, tokenId: bigint | null = null): NormalizedMetadata {
  const objects = foldMetadata(value)
  const [metadata, properties] = objects
  const options = { tokenId, maxDataUri: maxShownDataUri }
  return {
    name: readText(metadata, properties, ['name', 'title'], maxNameLength),
    description: readText(metadata, properties, ['description'], maxDescriptionLength),
    image: readFoldedUrl(objects, 'image', options),
    external_link: readFoldedUrl(objects, 'external_link', options),
    external_url: readFoldedUrl(objects, 'external_url', options),
    animation_url: readFoldedUrl(objects, 'animation_url', options),
    attributes: readAttributes(isObject(value) ? value : {}),
  }
}

/** Text of the metadata, else of its `properties`; '' only if every source is an empty text. */
function readText(metadata: JsonObject, properties: JsonObject, keys: string[], maxLength: number): string | null {
  let empty: string | null = null
  for (const key of keys) {
    for (const object of [metadata, properties]) {
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
  // `properties: { name: { type: 'string', description: 'Tate Modern' } }`: the schema of ERC-721 with values filled in.
  return isObject(value) && typeof value.description === 'string' ? cleanText(value.description, maxLength) : null
}
