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
    size: media?.size ?? null,
    originalUrl: media?.original_media_url ?? original,
  }
}

export const noImage: ByteText = JSON.stringify(imageOf(null, null))

/** The texts of an image and of an animation out of parts of a record, whose values are copied. A quote within a value is escaped, so that no name of a member is found there. */
export function imageTexts(
  media: ByteText | null,
  normalized: ByteText | null,
): { image: ByteText; animation: ByteText } {
  const at = media?.indexOf(animationMember) ?? -1
  const own = at < 0 ? media : media!.slice(0, at)
  const animation = at < 0 ? null : media!.slice(at + animationMember.length)
  const original = normalizedUrl(normalized, 'image', 'external_link')
  return {
    image: imageText(own, own === null ? original : originalIn(own)),
    animation: imageText(animation, normalizedUrl(normalized, 'animation_url', 'attributes')),
  }
}

const animationMember = ',"animation":'

function imageText(media: ByteText | null, original: ByteText): ByteText {
  if (media === null) return imageWith('null', 'null', 'null', 'null', original)
  const sizes = media.indexOf('"media_collection":{')
  const urlOf = (size: string) => {
    const at = sizes < 0 ? -1 : media.indexOf(`"${size}":{`, sizes)
    return at < 0 ? 'null' : (between(media, '"url":', '}', at) ?? 'null')
  }
  const type = between(media, '"mimetype":"', '"')
  return imageWith(
    urlOf('high'),
    urlOf('medium'),
    type === undefined ? 'null' : `"${type}"`,
    between(media, ',"size":', ',"duration":') ?? 'null',
    original,
  )
}

const imageWith = (cached: ByteText, thumbnail: ByteText, type: ByteText, size: ByteText, original: ByteText) =>
  `{"cachedUrl":${cached},"thumbnailUrl":${thumbnail},"pngUrl":null,"contentType":${type},"size":${size},"originalUrl":${original}}`

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
