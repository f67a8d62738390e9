import { maxMetadataBytes } from '../../../util/metadataBounds.ts'
import { escapeControls } from './escapeControls.ts'
import { parseContentType } from './parseContentType.ts'
import type { InlineUri, ResolvedUri } from './resolvedUri.ts'
import { isSvg } from './textType.ts'

/**
 * Parses a data: URI (RFC 2397) more leniently than the fetch standard: contracts forget to escape `#` and `%`, write `;utf8`, use the URL-safe
 * alphabet, omit padding, or confuse base64 and plain text. `text` begins with `data:` in any case. Nested data: URIs are also parsed, four deep.
 * Never throws.
 */
export function parseDataUri(text: string): ResolvedUri {
  let resolved = parseOnce(text)
  for (let depth = 1; depth < maxUris && resolved.kind === 'inline'; depth++) {
    const innerUri = dataUriIn(resolved.bytes)
    if (innerUri === undefined) break
    const inner = parseOnce(innerUri)
    resolved = inner.kind === 'inline' ? { ...inner, innerUri } : inner
  }
  return resolved
}

/** Deepest nesting of data: URIs. */
const maxUris = 4

/** Content that is itself a data: URI; undefined for other content. */
function dataUriIn(bytes: Uint8Array): string | undefined {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return /^\s*data:/i.test(content.toString('latin1', 0, 100)) ? content.toString('utf8').trim() : undefined
}

function parseOnce(text: string): ResolvedUri {
  const parts = partsOf(text)
  if (!parts) return { kind: 'refused', reason: 'data: URI without a comma' }
  const { mediaType, charset, base64 } = parseHeader(parts.header)
  const { body } = parts
  const bytes = base64
    ? decodeDeclaredBase64(body)
    : mediaType.includes('json') && undeclaredBase64.test(body)
      ? decodeBase64(body)
      : decodePlain(body)
  if (!bytes) return { kind: 'refused', reason: 'data: URI with malformed base64' }
  // Unescaped characters of the URI arrived as UTF-8, whatever charset the header declares.
  const decoded = !base64 && /[^\0-\x7f]/.test(body) ? 'utf-8' : charset
  return inline(mediaType, decoded, bytes)
}

/** Metadata in place of its URI: JSON, plain, percent-encoded or in base64, or SVG. Undefined for other texts. */
export function parseBareMetadata(text: string): ResolvedUri | undefined {
  if (text.startsWith('{') || text.startsWith('['))
    return inline('application/json', 'utf-8', Buffer.from(text.toWellFormed()))
  if (isSvg(text)) return inline('image/svg+xml', 'utf-8', Buffer.from(text.toWellFormed()))
  if (/^%7b/i.test(text)) return inline('application/json', 'utf-8', percentDecode(text))
  if (text.length < 16 || !undeclaredBase64.test(text)) return undefined
  const bytes = decodeBase64(text)
  return bytes?.[0] === 0x7b ? inline('application/json', 'utf-8', bytes) : undefined
}

const maxHeaderLength = 1000

/** Splits at the comma; if it is missing, before the brace or tag that begins the metadata, or after the word base64. */
function partsOf(text: string): { header: string; body: string } | undefined {
  const [, header, mark] = /^data:([^,{<]*)([,{<]?)/i.exec(text.slice(0, maxHeaderLength))!
  const end = 'data:'.length + header!.length
  if (mark === ',') return { header: header!, body: text.slice(end + 1) }
  if (mark !== '') return { header: header!, body: text.slice(end) }
  const [, declared] = /^data:([^,]*?;base64)(?=[\w+/-])/i.exec(text.slice(0, maxHeaderLength)) ?? []
  return declared === undefined ? undefined : { header: declared, body: text.slice('data:'.length + declared.length) }
}

/** `{"` or `{` with white space in base64; no JSON text begins with an e. */
const undeclaredBase64 = /^e[wy][\w+/-]+=*$/

function inline(mediaType: string, charset: string | null, bytes: Uint8Array): InlineUri | ResolvedUri {
  if (bytes.length <= maxMetadataBytes) return { kind: 'inline', mediaType, charset, bytes }
  return { kind: 'refused', reason: `${bytes.length} bytes in the URI, at most ${maxMetadataBytes} are taken` }
}

function parseHeader(header: string): { mediaType: string; charset: string | null; base64: boolean } {
  let base64 = false
  let charset: string | null = null
  const parts = header.split(';').filter((part) => {
    const word = part.trim().toLowerCase()
    if (word === 'base64') base64 = true
    else if (word === 'utf8' || word === 'utf-8') charset = 'utf-8'
    else return true
    return false
  })
  if (!parts[0]?.trim()) parts[0] = 'text/plain'
  const declared = parseContentType(parts.join(';'))
  return { mediaType: declared.mediaType, charset: declared.charset ?? charset, base64 }
}

/** Decodes a body declared as base64. Some contracts append the plain text, which its first character shows. */
function decodeDeclaredBase64(body: string): Uint8Array | undefined {
  return /^\s*[{<[]/.test(body) ? decodePlain(body) : decodeBase64(body)
}

/** Decodes base64 of either alphabet, with or without padding; ignores white space. Undefined for anything else. */
function decodeBase64(body: string): Uint8Array | undefined {
  let text = body.includes('%') ? Buffer.from(percentDecode(body)).toString('latin1') : body
  if (/\s/.test(text)) text = text.replaceAll(/\s+/g, '')
  const digits = /^([\w+/-]*)={0,2}$/.exec(text)?.[1]
  if (digits === undefined || digits.length % 4 === 1) return undefined
  return Buffer.from(digits, 'base64')
}

/** Decodes plain or percent-encoded text. Unencoded JSON may have `%22` in a string, which decoding would break: such a text is unchanged. */
function decodePlain(body: string): Uint8Array {
  const decoded = percentDecode(body)
  if (!/^\s*\{/.test(body) || !body.includes('%') || body.length > maxMetadataBytes) return decoded
  return !isJson(Buffer.from(decoded).toString('utf8')) && isJson(body) ? Buffer.from(body.toWellFormed()) : decoded
}

function isJson(text: string): boolean {
  try {
    JSON.parse(escapeControls(text))
    return true
  } catch {
    // JSON.parse reports invalid JSON only by throwing.
    return false
  }
}

const percent = 0x25

/**
 * Bytes of a text with `%XX` decoded, by the URL standard: a `%` without two hex digits is literal (`100% real`). Characters outside ASCII are UTF-8.
 * Never throws.
 */
export function percentDecode(text: string): Uint8Array {
  const bytes = Buffer.from(text.toWellFormed(), 'utf8')
  if (!text.includes('%')) return bytes
  let end = 0
  for (let i = 0; i < bytes.length; i++) {
    const high = bytes[i] === percent ? digit(bytes[i + 1]) : -1
    const low = high < 0 ? -1 : digit(bytes[i + 2])
    if (low < 0) bytes[end++] = bytes[i]!
    else {
      bytes[end++] = high * 16 + low
      i += 2
    }
  }
  return bytes.subarray(0, end)
}

function digit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
