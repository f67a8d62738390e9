import { foldKey, foldKeys, isObject, type JsonObject } from './readKey.ts'
import { type ReadUrlOptions, readUrl } from './readUrl.ts'

/** Documents are read by their folded keys, so `image_url` is `imageUrl`, `imageURL` and `Image URL` too. */
const spellings = {
  image: ['image', 'image_url', 'image_uri', 'image_data', 'svg_image_data', 'preview_media_file'].map(foldKey),
  external_link: ['external_link', 'external_url', 'external_uri'].map(foldKey),
  external_url: ['external_url', 'external_uri', 'external_link'].map(foldKey),
  animation_url: ['animation_url', 'animation_uri', 'animation'].map(foldKey),
}

/** What `normalizeMetadata` and `mediaOf` read of a document. */
const names = new Set(['properties', 'name', 'title', 'description', ...Object.values(spellings).flat()])

/** Where addresses are looked for: the document, then its `properties`, both with those of their folded keys that are read. */
export type FoldedDocument = readonly [document: JsonObject, properties: JsonObject]

export function foldDocument(value: unknown): FoldedDocument {
  const document = foldKeys(isObject(value) ? value : {}, names)
  const { properties } = document
  return [document, foldKeys(isObject(properties) ? properties : {}, names)]
}

/** The first spelling that gives an address within the bounds, all of them in the document before those in its `properties`. */
export function readDocumentUrl(
  objects: FoldedDocument,
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
