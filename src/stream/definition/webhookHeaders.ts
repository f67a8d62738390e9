import { BadRequestError } from '../../util/errors.ts'

/** Additional headers of a stream's webhooks: names in lower case, values unchanged. Values are secrets. */
export type WebhookHeaders = Readonly<Record<string, string>>

/** Headers in a request: null keeps the current value. */
export type GivenHeaders = Readonly<Record<string, string | null>>

const mostHeaders = 20
/** Most bytes of all names and values together. */
const mostBytes = 8_192

/** A token of RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Visible ASCII with inner spaces, which every receiver reads identically (RFC 9110, 5.5). */
const fieldValue = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/

/** Headers that belong to one connection (RFC 9110, 7.6.1), and headers that this server sets. */
const reserved = new Set([
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-signature',
])
const reservedPrefixes = ['content-', 'proxy-', 'webhook-']

/**
 * The headers of a stream after a request. `given` replaces all headers; undefined keeps them. `before`: the current
 * headers. If the address moves to another origin (`moved`), their values are dropped: otherwise a client that can move
 * a stream could read them. Throws BadRequestError, whose message never contains a value.
 */
export function webhookHeadersOf(
  given: GivenHeaders | null | undefined,
  before: WebhookHeaders = {},
  moved = false,
): WebhookHeaders {
  if (!given) return moved ? {} : before
  const headers = new Map<string, string>()
  const names = new Set<string>()
  for (const [written, requested] of Object.entries(given)) {
    // The message omits the name: it may be a misplaced value.
    if (!token.test(written)) throw fault('headers contains an invalid header name; allowed: letters, digits and -')
    const name = written.toLowerCase()
    if (reserved.has(name) || reservedPrefixes.some((prefix) => name.startsWith(prefix)))
      throw fault(`headers.${name} is reserved; allowed: headers that HTTP and webhooks do not use`)
    if (names.has(name)) throw fault(`headers.${name} is repeated; allowed: once, in upper or lower case`)
    names.add(name)
    const kept = Object.hasOwn(before, name) ? before[name] : undefined
    const value = requested ?? (moved ? null : kept)
    if (value === undefined)
      throw fault(`headers.${name} is null, but has no stored value; allowed: null only for a header that has one`)
    if (value === null) continue
    if (!fieldValue.test(value))
      throw fault(`headers.${name} has an invalid value; allowed: visible ASCII, with spaces between`)
    headers.set(name, value)
  }
  if (names.size > mostHeaders) throw fault(`headers has ${names.size} names; allowed: at most ${mostHeaders}`)
  const bytes = [...headers].reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (bytes > mostBytes) throw fault(`headers has ${bytes} bytes; allowed: at most ${mostBytes}`)
  return Object.fromEntries(headers)
}

/** Headers in answers: names without values. */
export function shownHeaders(headers: WebhookHeaders): Record<string, null> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, null]))
}

function fault(message: string): BadRequestError {
  return new BadRequestError(message, { details: { parameter: 'headers' } })
}
