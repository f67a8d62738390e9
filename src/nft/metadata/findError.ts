import { STATUS_CODES } from 'node:http'
import { cleanText } from './cleanText.ts'
import { foldKeys, isObject, type JsonObject } from './readKey.ts'

/**
 * What a document says where it is an error that its host sent with a 200: `{"message": "Internal server error"}`,
 * `{"error": {"code": 404}}`, a name service's `{"message": "unknown"}`. Undefined for a document: it has at least one key
 * of a document in any case, or no key of an error. A name that errors bear beside such a key, as in `{"name": "Not Found",
 * "code": 404}`, makes no document. For people, at most 200 characters.
 */
export function findError(value: JsonObject): string | undefined {
  const folded = foldKeys(value)
  const said = documentKeys.filter((key) => hasContent(folded[key]))
  const named = said.filter((key) => (key === 'name' || key === 'description') && isErrorName(folded[key]))
  if (said.length > named.length) return undefined
  const key = errorKeys.find((each) => hasContent(folded[each])) ?? (hasContent(folded.code) ? named[0] : undefined)
  if (key === undefined) return said.length === 0 && folded.success === false ? 'success: false' : undefined
  return cleanText(`${key}: ${describe(folded[key])}`, 200)
}

/** Keys of documents, folded. `title` is none of them: it stands in the problem details of RFC 9457 as well. */
const documentKeys =
  'name symbol description image imageurl imageuri imagedata svgimagedata previewmediafile animation animationurl animationuri externalurl externaluri externallink attributes traits properties media content contenturi artist creator createdby backgroundcolor youtubeurl decimals localization'.split(
    ' ',
  )

/** Keys of errors, folded, the most telling first. */
const errorKeys = 'error errors errormessage message msg detail statuscode status'.split(' ')

/** The phrases of HTTP, as `Not Found`, `NotFound` and `NOT_FOUND`, and the names of classes: `TypeError`, `NotFoundException`. */
function isErrorName(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 60) return false
  return /^(?:\w*(?:Error|Exception)|error|exception)$/.test(value.trim()) || phrases.has(foldPhrase(value))
}

const foldPhrase = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')

const phrases = new Set(
  Object.entries(STATUS_CODES).flatMap(([code, phrase]) => (Number(code) >= 400 ? [foldPhrase(phrase!)] : [])),
)

function hasContent(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return !isObject(value) || Object.keys(value).length > 0
}

function describe(value: unknown): string {
  if (typeof value === 'string') return value
  if (!isObject(value)) return JSON.stringify(value).slice(0, 400)
  const inner = foldKeys(value)
  return describe(inner.message ?? inner.code ?? JSON.stringify(value).slice(0, 400))
}
