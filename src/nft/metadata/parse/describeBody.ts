import { textType } from '../uri/textType.ts'

/** Media in place of JSON. */
export type BodyMedia = {
  /** Field of normalized metadata for the URL of such media. */
  field: 'image' | 'animation_url'
  mimetype: string
}

/** Kind of a body that is not JSON. */
export type BodyKind = {
  /** Readable: `an image (image/png)`. */
  is: string
  media?: BodyMedia
}

/**
 * Type of a body that should be JSON; undefined: unknown. The first bytes decide, then markup. A declared type counts only for binary content, as
 * hosts send error pages with the type of the missing file.
 */
export function describeBody(bytes: Uint8Array, text: string, mediaType: string): BodyKind | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64)).toString('latin1')
  const format = formats.find(({ mark }) => mark.test(start))
  if (format) return format.mimetype === undefined ? { is: format.is } : mediaOf(format.is, format.mimetype)
  const head = text.slice(0, headLength).trimStart()
  if (head.startsWith('<')) return describeMarkup(head)
  if (!/^(?:image|video|audio|model)\//.test(mediaType) || !isBinary(head)) return undefined
  return mediaOf('media', mediaType)
}

/** Whether the start of a body shows media, which need not be read further. HTML does not count: it is usually an error page. */
export function isMediaStart(start: Uint8Array): boolean {
  const media = describeBody(start, new TextDecoder().decode(start.subarray(0, headLength)), '')?.media
  return media !== undefined && media.mimetype !== 'text/html'
}

/** Examined characters: enough for a prolog, comments and a DOCTYPE with entities. */
const headLength = 65_536

function mediaOf(is: string, mimetype: string): BodyKind {
  const media: BodyMedia = { field: mimetype.startsWith('image/') ? 'image' : 'animation_url', mimetype }
  return { is: `${is} (${mimetype})`, media }
}

function describeMarkup(head: string): BodyKind {
  const type = textType(Buffer.from(head))
  if (type === 'image/svg+xml') return mediaOf('an image', type)
  if (type === 'text/html') return { is: 'an HTML page', media: { field: 'animation_url', mimetype: type } }
  return { is: 'markup' }
}

function isBinary(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no text holds them
  return /[\x00-\x08\x0e-\x1a\ufffd]/.test(text)
}

/** First bytes of formats, as latin1. Neither JSON nor error messages begin with any of them. */
const formats: { mark: RegExp; is: string; mimetype?: string }[] = (
  [
    ['an image', 'image/png', '\\x89PNG'],
    ['an image', 'image/jpeg', '\\xff\\xd8\\xff'],
    ['an image', 'image/gif', 'GIF8[79]a'],
    ['an image', 'image/webp', 'RIFF.{4}WEBP'],
    ['an image', 'image/avif', '\\0.{3}ftypavi[fs]'],
    ['an image', 'image/heic', '\\0.{3}ftyp(?:he[iv][cmsx]|mif1|msf1)'],
    ['an image', 'image/bmp', 'BM.{4}\\0{4}'],
    ['an image', 'image/tiff', '(?:II\\*\\0|MM\\0\\*)'],
    ['an image', 'image/vnd.microsoft.icon', '\\0\\0\\x01\\0'],
    ['an image', 'image/jxl', '\\0{3}\\x0cJXL '],
    ['audio', 'audio/mp4', '\\0.{3}ftypM4A'],
    ['a video', 'video/quicktime', '\\0.{3}ftypqt'],
    ['a video', 'video/mp4', '\\0.{3}ftyp'],
    ['a video', 'video/webm', '\\x1aE\\xdf\\xa3'],
    ['audio', 'audio/mpeg', '(?:ID3[\\x02-\\x04]|\\xff[\\xf2\\xf3\\xfb])'],
    ['audio', 'audio/ogg', 'OggS\\0'],
    ['audio', 'audio/flac', 'fLaC\\0'],
    ['audio', 'audio/wav', 'RIFF.{4}WAVE'],
    ['a 3D model', 'model/gltf-binary', 'glTF[\\x01\\x02]\\0{3}'],
    ['a PDF document', undefined, '%PDF-'],
    ['a ZIP archive', undefined, 'PK\\x03\\x04'],
    ['gzip inside the body', undefined, '\\x1f\\x8b'],
  ] as const
).map(([is, mimetype, mark]) => ({ is, mark: new RegExp(`^${mark}`, 's'), ...(mimetype && { mimetype }) }))
