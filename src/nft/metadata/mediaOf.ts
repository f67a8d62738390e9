import { classifyMedia, type MediaGuess } from './classifyMedia.ts'
import type { NormalizedMetadata } from './normalizedMetadata.ts'

/** The address that a preview is made of, and what it seems to lead to. */
export type Media = { url: string } & MediaGuess

/**
 * What stands for a token: its image, unless that is plainly something else and the animation is an image; else its
 * animation, whatever it is (a video has no preview, but its type and category are told). Null where there is neither.
 */
export function mediaOf(normalized: Pick<NormalizedMetadata, 'image' | 'animation_url'>): Media | null {
  const image = toMedia(normalized.image)
  const animation = toMedia(normalized.animation_url)
  if (image && (image.category === 'image' || image.category === 'unknown')) return image
  return animation?.category === 'image' ? animation : (image ?? animation)
}

function toMedia(url: string | null): Media | null {
  return url === null ? null : { url, ...classifyMedia(url) }
}
