import { maxUriLength } from '../../../util/documentBounds.ts'
import { classifyMedia, type MediaGuess } from './classifyMedia.ts'
import { foldDocument, readDocumentUrl } from './documentUrls.ts'

/** The address that a preview is made of, a data: URI whole, and what it seems to lead to. */
export type Media = { url: string } & MediaGuess

/**
 * What stands for a token, by its decoded document: its image, unless that is plainly something else and the animation is an
 * image; else its animation, whatever it is (a video has no preview, but its type and category are told). Null where there
 * is neither.
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
