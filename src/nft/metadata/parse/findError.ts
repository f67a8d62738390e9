import { STATUS_CODES } from 'node:http'
import { cleanText } from './cleanText.ts'
import { foldKey, foldKeys, isObject, type JsonObject } from './readKey.ts'

/**
 * The error that a host sent with status 200 instead of metadata: `{"message": "Internal server error"}`, `{"error": {"code": 404}}`, a name
 * service's `{"message": "unknown"}`. Undefined for metadata, which has a metadata key in any case, or no error key. An error's name, as in `{"name":
 * "Not Found", "code": 404}`, is not metadata, nor is its description beside an HTTP error status. A mere success, such as `{"status": "ok"}`, is an
 * error, as it has no metadata. Returns readable text of at most 200 characters.
 */
export function findError(value: JsonObject): string | undefined {
  const folded = foldKeys(value, report)
  const status = statusKeys.find((key) => isErrorStatus(folded[key]))
  const present = metadataKeys.filter((key) => hasContent(folded[key]))
  const borne = present.filter((key) => isOfError(key, folded, status !== undefined))
  if (present.length > borne.length) return undefined
  const reported = errorKeys.filter((key) => hasContent(folded[key]))
  const failing =
    reported.find((key) => !isSuccess(key, folded[key])) ?? (hasContent(folded.code) ? borne[0] : undefined)
  const alone = present.length > 0 ? undefined : (status ?? verdictKeys.find((key) => isFalse(folded[key])))
  const key = failing ?? alone ?? (isOtherText(value) ? undefined : reported[0])
  return key === undefined ? undefined : cleanText(`${key}: ${describe(folded[key])}`, 200)
}

/** Folded keys of metadata. Without `title`, which problem details of RFC 9457 also have. */
const metadataKeys =
  'name symbol description image imageurl imageuri imagedata svgimagedata previewmediafile animation animationurl animationuri externalurl externaluri externallink attributes traits properties media content contenturi artist creator createdby backgroundcolor youtubeurl decimals localization'.split(
    ' ',
  )

/** Folded keys of errors, most specific first. */
const errorKeys = 'error errors errormessage message msg detail errorcode fault statuscode status'.split(' ')

const statusKeys = ['statuscode', 'status', 'code']
const verdictKeys = ['success', 'ok']
const attendants = new Set([...errorKeys, ...statusKeys, ...verdictKeys])
const report = new Set([...metadataKeys, ...attendants])
const messageKeys = new Set(['message', 'code'])

function isErrorStatus(value: unknown): boolean {
  return isScalar(value) && /^[45]\d\d$/.test(String(value))
}

/** Texts and numbers. `String` throws for some objects, such as `{"toString": 1}`. */
function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function isFalse(value: unknown): boolean {
  return value === false || value === 'false'
}

/** Whether the value of an error key means success. */
function isSuccess(key: string, value: unknown): boolean {
  if (key === 'error' || key === 'errors') return isFalse(value) || value === 0
  return value === true || (isScalar(value) && /^(?:2\d\d|ok|success|successful|true)$/i.test(String(value)))
}

/** Whether metadata has anything besides success or failure. */
function isOtherText(value: JsonObject): boolean {
  return Object.keys(value).some((key) => !attendants.has(foldKey(key)) && hasContent(value[key]))
}

/** Whether a metadata key belongs to an error here. */
function isOfError(key: string, folded: JsonObject, hasErrorStatus: boolean): boolean {
  if (key === 'name') return isErrorName(folded.name)
  if (key !== 'description') return false
  return isErrorName(folded.description) || (hasErrorStatus && isErrorName(folded.name))
}

/** HTTP reason phrases, as `Not Found`, `NotFound` and `NOT_FOUND`, and class names: `TypeError`, `NotFoundException`. */
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
  const inner = foldKeys(value, messageKeys)
  return describe(inner.message ?? inner.code ?? JSON.stringify(value).slice(0, 400))
}
