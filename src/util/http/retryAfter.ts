/**
 * Parses Retry-After (RFC 9110, 10.2.3), seconds or an HTTP-date, to milliseconds from `now`, 0 to `longestMs`. Fractions of a second, which the RFC
 * does not allow, are accepted. undefined: the header is missing or malformed.
 */
export function parseRetryAfter(
  header: string | string[] | undefined,
  { longestMs, now = Date.now() }: { longestMs: number; now?: number },
): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (!text || text.length > 64) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(longestMs, Number(text) * 1_000)
  // Date.parse accepts far more than HTTP-dates, such as "-5"; every HTTP-date begins with the name of a day.
  const ms = /^[A-Z][a-z]{2,8},? /.test(text)
    ? Date.parse(/(GMT|UTC)$/.test(text) ? text : `${text} GMT`) - now
    : Number.NaN
  return Number.isNaN(ms) ? undefined : Math.min(longestMs, Math.max(0, ms))
}

/** Longest Retry-After of a third-party host that is obeyed, in milliseconds: a day. */
const longestMs = 86_400_000

/** Pause that a third-party host requests, in milliseconds from `now`; undefined if it specifies none. */
export function retryAfterOf(header: string | string[] | undefined, now = Date.now()): number | undefined {
  return parseRetryAfter(header, { longestMs, now })
}
