import { foldKey, foldKeys, isObject, type JsonObject } from './readKey.ts'
import { type ReadUrlOptions, readUrl } from './readUrl.ts'

/** Folded keys (`foldKey`) of each URL: `image_url` also means `imageUrl`, `imageURL` and `Image URL`. */
const spellings = {
  image: ['image', 'image_url', 'image_uri', 'image_data', 'svg_image_data', 'preview_media_file'].map(foldKey),
  external_link: ['external_link', 'external_url', 'external_uri'].map(foldKey),
  external_url: ['external_url', 'external_uri', 'external_link'].map(foldKey),
  animation_url: ['animation_url', 'animation_uri', 'animation'].map(foldKey),
}

/** The folded keys that `normalizeMetadata` and `mediaOf` read. */
const names = new Set(['properties', 'name', 'title', 'description', ...Object.values(spellings).flat()])

/** Objects that are searched for URLs: the metadata, then its `properties`, both with folded keys. */
export type FoldedMetadata = readonly [document: JsonObject, properties: JsonObject]

export function foldMetadata(value: unknown): FoldedMetadata {
  const metadata = foldKeys(isObject(value) ? value : {}, names)
  const { properties } = metadata
  return [metadata, foldKeys(isObject(properties) ? properties : {}, names)]
}

/** The URL under the first spelling with a URL within the limits: all spellings in the metadata precede those in `properties`. */
export function readFoldedUrl(
  objects: FoldedMetadata,
  name: keyof typeof spellings,
  options: ReadUrlOptions,
): string | null {
  for (const object of objects) {
    for (const key of spellings[name]) {
      const url = Object.hasOwn(object, key) ? readUrl(object[key], options) : null
      if (url !== null) return url
    }
  }
  return null
}
