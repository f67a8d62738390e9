import { maxUrlLength } from '../../../util/metadataBounds.ts'
import { substituteId } from '../uri/resolveUri.ts'
import { isSvg } from '../uri/textType.ts'
import { cleanText } from './cleanText.ts'
import { isObject, readKey } from './readKey.ts'

export type ReadUrlOptions = {
  /** Replacement for `{id}`; null: none. */
  tokenId: bigint | null
  /** Longest data: URI, in UTF-16 units. */
  maxDataUri: number
}

/**
 * A URL in metadata: text, the first of a list, or within an object (`{url}`, `{uri}`, or `{type, description}` of ERC-721's schema). SVG markup
 * becomes a data: URI. Null for anything else, for texts above the limits (a truncated URL is wrong), and for `javascript:` and similar, which a
 * careless page would run on a click.
 */
export function readUrl(value: unknown, options: ReadUrlOptions, depth = 0): string | null {
  if (typeof value === 'string') return toUrl(value, options)
  if (depth === 2) return null
  if (Array.isArray(value)) return readUrl(value[0], options, depth + 1)
  if (!isObject(value)) return null
  return readUrl(readKey(value, ['url', 'uri', 'src', 'href', 'value', 'description']), options, depth + 1)
}

function toUrl(value: string, { tokenId, maxDataUri }: ReadUrlOptions): string | null {
  const text = cleanText(value, value.length).trim()
  if (text === '') return null
  const inline = dataUri(text)
  if (inline !== undefined) return inline.length <= maxDataUri ? inline : null
  if (text.length > maxUrlLength || runs(text)) return null
  const url = tokenId === null ? text : substituteId(text, tokenId)
  return url.length <= maxUrlLength ? url : null
}

/** A data: URI: the text itself, or one made from SVG markup or a bare base64 image; undefined for anything else. */
function dataUri(text: string): string | undefined {
  if (isSvg(text)) return `data:image/svg+xml;base64,${Buffer.from(text, 'utf8').toString('base64')}`
  return /^data:/i.test(text) ? text : bareBase64(text)
}

/** A data: URI from a bare base64 image, by its first bytes; undefined for anything else. */
function bareBase64(text: string): string | undefined {
  const type = pictures.find(([start]) => text.startsWith(start))?.[1]
  if (type === undefined || !/^[\w+/\s-]{40,}={0,2}$/.test(text)) return undefined
  if (type === 'image/svg+xml' && !isSvg(Buffer.from(text.slice(0, 65_536), 'base64').toString('utf8')))
    return undefined
  return `data:${type};base64,${text.replaceAll(/\s+/g, '')}`
}

/** First base64 characters of `<svg`, `<?xml`, `<!--`, `<!DOCTYPE` and `<!doctype`, PNG, JPEG, GIF, WebP. */
const pictures = [
  ['PHN2Z', 'image/svg+xml'],
  ['PD94bW', 'image/svg+xml'],
  ['PCEtL', 'image/svg+xml'],
  ['PCFET0NUWVBF', 'image/svg+xml'],
  ['PCFkb2N0eXBl', 'image/svg+xml'],
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
] as const

/** Whether a URL is a script. Browsers drop tabs, line ends and leading control characters before they parse the scheme. */
function runs(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be found
  return /^(?:javascript|vbscript):/i.test(text.replaceAll(/[\x00-\x20\x7f-\x9f]/g, ''))
}
