import { maxUriLength } from '../../../util/metadataBounds.ts'
import { parseContentType } from '../uri/parseContentType.ts'
import { foldMetadata, readFoldedUrl } from './foldedUrls.ts'

/**
 * The URL for a token's preview by its decoded metadata, including a whole data: URI: its image, unless that is clearly not an image and the animation
 * is one. Without an image, its animation: a video has no preview, but a type and category. Null without either.
 */
export function mediaOf(value: unknown, tokenId: bigint | null = null): string | null {
  const objects = foldMetadata(value)
  const read = (name: 'image' | 'animation_url') => readFoldedUrl(objects, name, { tokenId, maxDataUri: maxUriLength })
  const image = read('image')
  if (image !== null && !others.test(kindOf(image))) return image
  const animation = read('animation_url')
  return animation !== null && images.test(kindOf(animation)) ? animation : (image ?? animation)
}

/** The type of a data: URI, else the extension of the URL, in lower case; '': none. The bytes of the media decide later. */
function kindOf(url: string): string {
  if (/^\s*data:/i.test(url)) {
    const [header] = url
      .trimStart()
      .slice('data:'.length, 200)
      .split(/[;,{<]/, 1)
    return parseContentType(header!).mediaType
  }
  const [path] = url.slice(0, 8192).split(/[?#]/, 1)
  return /\.([a-z\d]{2,5})\s*$/i.exec(path!.slice(-20))?.[1]?.toLowerCase() ?? ''
}

const images = /^(?:image\/.*|png|jpe?g|gif|webp|avif|svg|bmp|tiff?|heic|ico)$/

/** Of videos, audio files, models and pages. */
const others =
  /^(?:(?:video|audio|model)\/.*|text\/html|application\/xhtml\+xml|mp4|m4v|webm|mov|ogv|mpeg|mp3|wav|og[ag]|flac|m4a|aac|glb|gltf|usdz|html?)$/
