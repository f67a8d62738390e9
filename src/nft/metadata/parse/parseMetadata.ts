import { unpackGzip } from '../../../util/files/unpackGzip.ts'
import { jsonNesting } from '../../../util/jsonNesting.ts'
import { maxMetadataBytes } from '../../../util/metadataBounds.ts'
import { parseContentType } from '../uri/parseContentType.ts'
import { parseBareMetadata, parseDataUri } from '../uri/parseDataUri.ts'
import { cleanText } from './cleanText.ts'
import { decodeMetadata } from './decodeMetadata.ts'
import { type BodyMedia, describeBody } from './describeBody.ts'
import { isObject, type JsonObject } from './readKey.ts'
import { repairJson } from './repairJson.ts'

export type ParsedMetadata =
  | ({ ok: true } & Found)
  | {
      ok: false
      /** Readable kind of the body: without NUL, at most 300 characters. */
      reason: string
      /** The body is media, with its bytes. */
      media?: BodyMedia & { bytes: Uint8Array }
    }

type Found = {
  /**
   * Text of the JSON object as received: decoded, without surrounding characters, and repaired by `repairJson` if it was invalid. It always parses,
   * without raw NUL and lone surrogates. It may have them as escapes \u0000 and \ud800, which jsonb rejects.
   */
  text: string
  /**
   * The parsed text. Integers that a number cannot represent exactly, and infinite numbers, are texts of their digits. Strings may have NUL and lone
   * surrogates; `normalizeMetadata` removes them.
   */
  value: JsonObject
}

/** Deepest nesting of metadata; published metadata is less than 10 deep. */
const maxDepth = 64

/** Most nested encodings: a JSON object in a JSON string, in base64, in a data: URI. */
const maxLayers = 3

/**
 * Parses metadata from decompressed bytes and its Content-Type, which may be missing or wrong. Anything that parses as a JSON object is metadata,
 * also alone in a list, in a JSON string or in a data: URI. Never throws.
 */
export function parseMetadata(bytes: Uint8Array, contentType: string | null): ParsedMetadata {
  if (bytes.length === 0) return fail('empty body')
  if (bytes.length > maxMetadataBytes) return fail(`${bytes.length} bytes, at most ${maxMetadataBytes} are kept`)
  const { mediaType, charset } = parseContentType(contentType)
  const decoded = decodeMetadata(bytes, charset)
  if (decoded.trim() === '') return fail('empty body')
  const read = readText(decoded, 0)
  if ('value' in read) return { ok: true, ...read }
  const body = describeBody(bytes, decoded, mediaType)
  if (!body) return fail(read.reason)
  const failed = fail(`no JSON but ${body.is}`)
  return body.media ? { ...failed, media: { ...body.media, bytes } } : failed
}

/** `layer`: number of enclosing texts. */
function readText(text: string, layer: number): Found | { reason: string } {
  const parsed = parseRepaired(text)
  if ('reason' in parsed) return (layer < maxLayers && readWrapped(text, layer)) || parsed
  const { value } = parsed
  if (isObject(value)) return { text: parsed.text, value }
  if (Array.isArray(value) && value.length === 1 && isObject(value[0]))
    return { text: parsed.text.trim().slice(1, -1).trim(), value: value[0] }
  if (typeof value === 'string' && layer < maxLayers) {
    const inner = readText(value.trim().toWellFormed(), layer + 1)
    if ('value' in inner) return inner
  }
  return { reason: `JSON ${Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value}, not an object` }
}

/** A text that is a data: URI, percent-encoded JSON, or JSON in base64; undefined for others. */
function readWrapped(text: string, layer: number): Found | undefined {
  const trimmed = text.trim()
  const isUri = /^data:/i.test(trimmed)
  if (!isUri && !/^(?:%7b|e[wy])/i.test(trimmed)) return undefined
  const resolved = isUri ? parseDataUri(trimmed) : parseBareMetadata(trimmed)
  if (resolved?.kind !== 'inline') return undefined
  const inner = readText(decodeMetadata(resolved.bytes, resolved.charset), layer + 1)
  return 'value' in inner ? inner : undefined
}

/** The value of a text that is valid or repairable JSON; else the reason. */
function parseRepaired(text: string): { text: string; value: unknown } | { reason: string } {
  const strict = parseJson(text)
  if ('value' in strict) return { text, value: strict.value }
  const repaired = repairJson(text)
  const parsed = repaired === text ? strict : parseJson(repaired)
  return 'value' in parsed ? { text: repaired, value: parsed.value } : parsed
}

function parseJson(text: string): { value: unknown } | { reason: string } {
  if (jsonNesting(text, maxDepth).beyondAt !== undefined) return { reason: `nested deeper than ${maxDepth}` }
  try {
    // A reviver is slow, and only texts with a long run of digits or a large exponent can have a number that loses digits.
    return { value: /\d{16}|\de\+?\d{3}/i.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return { reason: `invalid JSON: ${error.message}` }
    throw error
  }
}

/** Called by JSON.parse for each value, with its source text for primitives (ECMAScript 2026). */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  const exact = Number.isSafeInteger(value) || String(value) === context.source || !/^-?\d+$/.test(context.source)
  return Number.isFinite(value) && exact ? value : context.source
}

function fail(reason: string): Extract<ParsedMetadata, { ok: false }> {
  return { ok: false, reason: cleanText(reason, 300) }
}

/** Parses received bytes as `parseDocument`, also undeclared gzip. */
export async function readMetadataBody(bytes: Uint8Array, contentType: string | null): Promise<ParsedMetadata> {
  const unpacked = await unpackGzip(bytes, maxMetadataBytes)
  return 'fault' in unpacked ? { ok: false, reason: unpacked.fault } : parseMetadata(unpacked.bytes, contentType)
}
