/** What belongs to one request. */
const ofTheRequest = /^(date|x-request-id|x-rate-limit-(remaining|reset))$/
/** What counts on with the clock. */
const ofTheMoment = /^(x-index-head-age|retry-after)$/

/**
 * The headers of an answer as they can be compared with those of another one that came at another moment: without what
 * belongs to one request, and of what counts on with the clock only that it is there.
 */
export function lastingHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries(
    [...headers]
      .filter(([name]) => !ofTheRequest.test(name))
      .map(([name, value]) => [name, ofTheMoment.test(name) ? 'of the moment' : value]),
  )
}
