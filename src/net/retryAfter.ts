/** Longest time that a host's Retry-After is believed, in milliseconds: a day. */
const longest = 86_400_000

/** Retry-After (RFC 9110, 10.2.3): whole seconds or an HTTP-date, in milliseconds from `now`, 0 to a day. */
export function parseRetryAfter(header: string | string[] | undefined, now = Date.now()): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (!text || text.length > 64) return undefined
  if (/^\d+$/.test(text)) return Math.min(longest, Number(text) * 1_000)
  // Date.parse reads far more than HTTP-dates, "-5" and "1.5" among it; every form of an HTTP-date begins with a day's name.
  const ms = /^[A-Z][a-z]{2,8},? /.test(text)
    ? Date.parse(/(GMT|UTC)$/.test(text) ? text : `${text} GMT`) - now
    : Number.NaN
  return Number.isNaN(ms) ? undefined : Math.min(longest, Math.max(0, ms))
}
