import { maxUriLength } from '../../../util/documentBounds.ts'
import { classifyMedia, type MediaGuess } from './classifyMedia.ts'
import { foldDocument, readDocumentUrl } from './documentUrls.ts'

/** The address that a preview is made of, with all of a data: URI, and what it seems to lead to. */
export type Media = { url: string } & MediaGuess

/**
 * The media of a token, by its decoded metadata: its image, unless that is plainly no image while the animation is one; where there is no
 * image, its animation (a video has no preview, but clients see its type and category). Null where there is neither.
 */
export function mediaOf(value: unknown, tokenId: bigint | null = null): Media | null {
  const objects = foldDocument(value)
  const read = (name: 'image' | 'animation_url') =>
    toMedia(readDocumentUrl(objects, name, { tokenId, maxDataUri: maxUriLength }))
  const image = read('image')
  if (image && (image.category === 'image' || image.category === 'unknown')) return image
  const animation = read('animation_url')
  return animation?.category === 'image' ? animation : (image ?? animation)
}

function toMedia(url: string | null): Media | null {
  return url === null ? null : { url, ...classifyMedia(url) }
}
