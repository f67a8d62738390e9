import type { RecordMedia } from '../../../nft/nftRecord.ts'
import { type ByteText, between } from './byteText.ts'

type ImageShape = {
  cachedUrl: string | null
  thumbnailUrl: string | null
  pngUrl: string | null
  contentType: string | null
  size: number | null
  originalUrl: string | null
}

/** The thumbnails are WebP, so there is no PNG. */
export function imageOf(media: RecordMedia | null, original: string | null): ImageShape {
  return {
    cachedUrl: media?.media_collection?.high.url ?? null,
    thumbnailUrl: media?.media_collection?.medium.url ?? null,
    pngUrl: null,
    contentType: media?.mimetype ?? null,
    size: null,
    originalUrl: media?.original_media_url ?? original,
  }
}

export const noImage: ByteText = JSON.stringify(imageOf(null, null))

/** The same out of parts of a record, whose values are copied. A quote within a value is escaped, so that no name of a member is found there. */
export function imageText(media: ByteText | null, normalized: ByteText | null): ByteText {
  const urlOf = (size: string) => {
    const at = media?.indexOf(`"${size}":{`) ?? -1
    const url = at < 0 ? undefined : between(media!.slice(at), '"url":', '}')
    return url ?? 'null'
  }
  const original = media === null ? normalizedUrl(normalized, 'image', 'external_link') : originalIn(media)
  return imageWith(urlOf('high'), urlOf('medium'), textOf(media, '"mimetype":"'), original)
}

export function animationText(normalized: ByteText | null): ByteText {
  return imageWith('null', 'null', 'null', normalizedUrl(normalized, 'animation_url', 'attributes'))
}

const imageWith = (cached: ByteText, thumbnail: ByteText, type: ByteText, original: ByteText) =>
  `{"cachedUrl":${cached},"thumbnailUrl":${thumbnail},"pngUrl":null,"contentType":${type},"size":null,"originalUrl":${original}}`

function textOf(media: ByteText | null, member: string): ByteText {
  const value = media === null ? undefined : between(media, member, '"')
  return value === undefined ? 'null' : `"${value}"`
}

/** The member before the one that is named `next`. */
const normalizedUrl = (normalized: ByteText | null, name: string, next: string): ByteText =>
  (normalized === null ? undefined : between(normalized, `,"${name}":`, `,"${next}":`)) ?? 'null'

/** Its end is the first quote that is not escaped. */
function originalIn(media: ByteText): ByteText {
  const member = '"original_media_url":'
  const from = media.indexOf(member) + member.length
  let to = from + 1
  while (media[to] !== '"') to += media[to] === '\\' ? 2 : 1
  return media.slice(from, to + 1)
}
