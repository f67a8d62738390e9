import type { RecordMedia } from '../../../nft/nftRecord.ts'
import { endOfString } from '../../../util/jsonNesting.ts'
import type { ByteText } from './byteText.ts'

type ImageShape = {
  cachedUrl: string | null
  thumbnailUrl: string | null
  pngUrl: string | null
  contentType: string | null
  size: number | null
  originalUrl: string | null
}

/** Thumbnails are WebP, so `pngUrl` is null. */
export function imageOf(media: RecordMedia | null, original: string | null): ImageShape {
  return {
    cachedUrl: media?.media_collection?.high.url ?? null,
    thumbnailUrl: media?.media_collection?.medium.url ?? null,
    pngUrl: null,
    contentType: media?.mimetype ?? null,
    size: media?.size ?? null,
    originalUrl: media?.original_media_url ?? original,
  }
}

export const noImage: ByteText = JSON.stringify(imageOf(null, null))

/**
 * JSON of an image and of an animation, copied from parts of a record. Quotes in values are escaped, so a member name
 * never matches inside a value; the order of members is fixed.
 */
export function imageTexts(media: ByteText | null, named: NamedTexts): { image: ByteText; animation: ByteText } {
  if (media === null) return { image: unmade(named.image), animation: unmade(named.animation) }
  const original = originalIn(media)
  const at = media.indexOf(animationMember, original.end)
  if (at < 0) return { image: imageText(media, original), animation: unmade(named.animation) }
  const animation = media.slice(at + animationMember.length)
  return { image: imageText(media.slice(0, at), original), animation: imageText(animation, originalIn(animation)) }
}

const unmade = (original: ByteText) => imageWith('null', 'null', 'null', 'null', original)

const animationMember = ',"animation":'
const originalMember = '"original_media_url":'

/** Position of the original's URL, including its quotes. */
function originalIn(media: ByteText): { at: number; end: number } {
  const at = media.indexOf(originalMember) + originalMember.length
  return { at, end: endOfString(media, at) + 1 }
}

function imageText(media: ByteText, { at: originalAt, end: originalEnd }: { at: number; end: number }): ByteText {
  const type = between(media, '"mimetype":"', '"', originalEnd)
  const sizesAt = media.indexOf('"media_collection":{', originalEnd)
  const mediumAt = sizesAt < 0 ? -1 : media.indexOf('"medium":{', sizesAt)
  const highAt = mediumAt < 0 ? -1 : media.indexOf('"high":{', mediumAt)
  const urlAt = (at: number) => (at < 0 ? 'null' : (between(media, '"url":', '}', at) ?? 'null'))
  const size = between(media, ',"size":', ',"duration":', Math.max(originalEnd, highAt)) ?? 'null'
  const shownType = type === undefined ? 'null' : `"${type}"`
  return imageWith(urlAt(highAt), urlAt(mediumAt), shownType, size, media.slice(originalAt, originalEnd))
}

/** The text between `before`, searched from `begin`, and `after`; undefined: not found. */
function between(text: ByteText, before: string, after: string, begin: number): ByteText | undefined {
  const start = text.indexOf(before, begin)
  const from = start + before.length
  const to = text.indexOf(after, from)
  return start < 0 || to < 0 ? undefined : text.slice(from, to)
}

const imageWith = (cached: ByteText, thumbnail: ByteText, type: ByteText, size: ByteText, original: ByteText) =>
  `{"cachedUrl":${cached},"thumbnailUrl":${thumbnail},"pngUrl":null,"contentType":${type},"size":${size},"originalUrl":${original}}`

/** Parts of normalized metadata by field. */
export type NamedTexts = {
  /** The members name and description. */
  members: ByteText
  image: ByteText
  animation: ByteText
}

const unnamed: NamedTexts = { members: '"name":null,"description":null', image: 'null', animation: 'null' }

/** Splits normalized metadata; the order of its fields is fixed. */
export function namedTexts(normalized: ByteText | null): NamedTexts {
  if (normalized === null) return unnamed
  const imageAt = normalized.indexOf(',"image":')
  const linkAt = normalized.indexOf(',"external_link":', imageAt)
  const animationAt = normalized.indexOf(',"animation_url":', linkAt)
  const attributesAt = normalized.indexOf(',"attributes":', animationAt)
  return {
    members: normalized.slice(1, imageAt),
    image: normalized.slice(imageAt + ',"image":'.length, linkAt),
    animation: normalized.slice(animationAt + ',"animation_url":'.length, attributesAt),
  }
}
