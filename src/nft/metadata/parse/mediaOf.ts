import { maxUriLength } from '../../../util/metadataBounds.ts'
import { classifyMedia, type MediaGuess } from './classifyMedia.ts'
import { foldMetadata, readFoldedUrl } from './foldedUrls.ts'

/** The URL for a preview, including a whole data: URI, with its guessed type. */
export type Media = { url: string } & MediaGuess

/**
 * The media of a token by its decoded metadata: its image, unless that is clearly not an image and the animation is one. Without an image, its
 * animation: a video has no preview, but a type and category. Null without either.
 */
export function mediaOf(value: unknown, tokenId: bigint | null = null): Media | null {
  const objects = foldMetadata(value)
  const read = (name: 'image' | 'animation_url') =>
    toMedia(readFoldedUrl(objects, name, { tokenId, maxDataUri: maxUriLength }))
  const image = read('image')
  if (image && (image.category === 'image' || image.category === 'unknown')) return image
  const animation = read('animation_url')
  return animation?.category === 'image' ? animation : (image ?? animation)
}

function toMedia(url: string | null): Media | null {
  return url === null ? null : { url, ...classifyMedia(url) }
}
