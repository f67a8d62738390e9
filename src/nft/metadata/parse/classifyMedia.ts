import { parseContentType } from '../uri/parseContentType.ts'

export type MediaCategory = 'image' | 'video' | 'audio' | 'html' | 'model' | 'unknown'

export type MediaGuess = {
  category: MediaCategory
  /** Type that the URL suggests, in lower case; null: none. */
  mimetype: string | null
}

/**
 * Guesses the media type of a URL from a data: URI's type or the file extension, to decide what is worth fetching. The actual bytes decide later.
 * Never throws.
 */
export function classifyMedia(url: string): MediaGuess {
  const mimetype = /^\s*data:/i.test(url) ? declaredType(url) : typeOfEnding(url)
  return { category: mimetype === null ? 'unknown' : categoryOf(mimetype), mimetype }
}

/** The category of a media type. */
export function categoryOf(mimetype: string): MediaCategory {
  const kind = mimetype.split('/', 1)[0]
  if (kind === 'image' || kind === 'video' || kind === 'audio' || kind === 'model') return kind
  return mimetype === 'text/html' || mimetype === 'application/xhtml+xml' ? 'html' : 'unknown'
}

function declaredType(url: string): string | null {
  const header = url
    .trimStart()
    .slice('data:'.length, 200)
    .split(/[;,{<]/, 1)[0]!
  return parseContentType(header).mediaType || null
}

function typeOfEnding(url: string): string | null {
  const path = url.slice(0, 8192).split(/[?#]/, 1)[0]!
  const ending = /\.([a-z\d]{2,5})\s*$/i.exec(path.slice(-20))?.[1]?.toLowerCase()
  return (ending !== undefined && types.get(ending)) || null
}

const types = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['svg', 'image/svg+xml'],
  ['bmp', 'image/bmp'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  ['heic', 'image/heic'],
  ['ico', 'image/vnd.microsoft.icon'],
  ['mp4', 'video/mp4'],
  ['m4v', 'video/mp4'],
  ['webm', 'video/webm'],
  ['mov', 'video/quicktime'],
  ['ogv', 'video/ogg'],
  ['mpeg', 'video/mpeg'],
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['ogg', 'audio/ogg'],
  ['oga', 'audio/ogg'],
  ['flac', 'audio/flac'],
  ['m4a', 'audio/mp4'],
  ['aac', 'audio/aac'],
  ['glb', 'model/gltf-binary'],
  ['gltf', 'model/gltf+json'],
  ['usdz', 'model/vnd.usdz+zip'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
])
