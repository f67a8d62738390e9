import { maxDocumentBytes } from '../../../util/documentBounds.ts'
import { jsonNesting } from '../../../util/jsonNesting.ts'
import { escapeControls } from '../uri/escapeControls.ts'
import { parseContentType } from '../uri/parseContentType.ts'
import { cleanText } from './cleanText.ts'
import { decodeDocument } from './decodeDocument.ts'
import { describeBody } from './describeBody.ts'
import { isObject } from './readKey.ts'

export type ParsedDocument =
  | {
      ok: true
      /**
       * The JSON text as it came: decoded, without byte order mark, and where it was no JSON otherwise, with raw control characters in its
       * strings escaped. It always parses and is free of raw NUL and of lone surrogates. It may hold them as the escapes \u0000 and
       * \ud800, which jsonb refuses.
       */
      text: string
      /**
       * The value of the text. Integers that a number cannot hold exactly, and numbers that would be infinite, are the text of their
       * digits. Strings can hold NUL and lone surrogates; `normalizeMetadata` takes them out.
       */
      value: Record<string, unknown>
    }
  /** For people, what the body is instead: without NUL, at most 300 characters. */
  | { ok: false; reason: string }

/** How deep a document may nest; published ones nest less than 10 deep. */
const maxDepth = 64

/**
 * A metadata document from its decompressed bytes and its Content-Type, which may be missing or wrong: whatever parses as a JSON object is
 * a document. Never throws.
 */
export function parseDocument(bytes: Uint8Array, contentType: string | null): ParsedDocument {
  if (bytes.length === 0) return fail('empty body')
  if (bytes.length > maxDocumentBytes) return fail(`${bytes.length} bytes, at most ${maxDocumentBytes} are kept`)
  const { mediaType, charset } = parseContentType(contentType)
  const decoded = decodeDocument(bytes, charset)
  if (decoded.trim() === '') return fail('empty body')
  if (jsonNesting(decoded, maxDepth).beyondAt !== undefined) return fail(`nested deeper than ${maxDepth}`)
  const strict = parseJson(decoded)
  const text = 'fault' in strict ? escapeControls(decoded) : decoded
  const parsed = text === decoded ? strict : parseJson(text)
  if ('fault' in parsed) {
    const what = describeBody(bytes, text, mediaType)
    return fail(what ? `no JSON but ${what}` : `invalid JSON: ${parsed.fault}`)
  }
  const { value } = parsed
  if (isObject(value)) return { ok: true, text, value }
  return fail(`JSON ${Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value}, not an object`)
}

function parseJson(text: string): { value: unknown } | { fault: string } {
  try {
    // A reviver costs much, and only texts with a long run of digits or a great exponent can hold a number that loses digits.
    return { value: /\d{16}|\de\+?\d{3}/i.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return { fault: error.message }
    throw error
  }
}

/** Called by JSON.parse for each value, with its source text for primitives (ECMAScript 2026). */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  const exact = Number.isSafeInteger(value) || String(value) === context.source || !/^-?\d+$/.test(context.source)
  return Number.isFinite(value) && exact ? value : context.source
}

function fail(reason: string): ParsedDocument {
  return { ok: false, reason: cleanText(reason, 300) }
}
