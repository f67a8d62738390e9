import { cleanText } from './cleanText.ts'
import { isSvg } from './isSvg.ts'
import { isObject, readKey } from './readKey.ts'
import { substituteId } from './substituteId.ts'

const maxUrlLength = 4000
/** Images that stand in the document itself; a page of 100 records carries them all. */
const maxDataUriLength = 100_000

/**
 * An address in a document: text, or the first of a list, or the address inside an object (`{url}`, `{uri}`, or the
 * JSON schema of ERC-721 filled in, `{type, description}`). SVG markup becomes a data: URI. Null for anything else, for
 * what is longer than the bounds (a cut address is a wrong one), and for `javascript:` and its like, which a careless
 * page would run on a click.
 */
export function readUrl(value: unknown, tokenId: bigint | null, depth = 0): string | null {
  if (typeof value === 'string') return toUrl(value, tokenId)
  if (depth === 2) return null
  if (Array.isArray(value)) return readUrl(value[0], tokenId, depth + 1)
  if (!isObject(value)) return null
  return readUrl(readKey(value, ['url', 'uri', 'src', 'href', 'value', 'description']), tokenId, depth + 1)
}

function toUrl(value: string, tokenId: bigint | null): string | null {
  const text = cleanText(value, value.length).trim()
  if (text === '') return null
  if (isSvg(text)) return svgUri(text)
  const picture = bareBase64(text)
  if (picture !== undefined) return picture.length <= maxDataUriLength ? picture : null
  if (/^data:/i.test(text)) return text.length <= maxDataUriLength ? text : null
  if (text.length > maxUrlLength || runs(text)) return null
  const url = tokenId === null ? text : substituteId(text, tokenId)
  return url.length <= maxUrlLength ? url : null
}

function svgUri(markup: string): string | null {
  const uri = `data:image/svg+xml;base64,${Buffer.from(markup, 'utf8').toString('base64')}`
  return uri.length <= maxDataUriLength ? uri : null
}

/** A picture in base64 without the `data:` before it, told by its first bytes: as a data: URI; undefined for anything else. */
function bareBase64(text: string): string | undefined {
  const type = pictures.find(([start]) => text.startsWith(start))?.[1]
  if (type === undefined || !/^[\w+/\s-]{40,}={0,2}$/.test(text)) return undefined
  if (type === 'image/svg+xml' && !isSvg(Buffer.from(text.slice(0, 65_536), 'base64').toString('utf8')))
    return undefined
  return `data:${type};base64,${text.replaceAll(/\s+/g, '')}`
}

/** `<svg`, `<?xml`, `<!--`, `<!DOCTYPE` in either case, PNG, JPEG, GIF, WebP. */
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

/** Browsers drop tabs, line ends and leading control characters before they read the scheme. */
function runs(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be found
  return /^(?:javascript|vbscript):/i.test(text.replaceAll(/[\x00-\x20\x7f-\x9f]/g, ''))
}
