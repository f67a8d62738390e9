/** Headers that are specific to one request. */
const ofTheRequest = /^(date|x-request-id|x-rate-limit-(remaining|reset))$/
/** Headers whose value changes with the clock. */
const ofTheMoment = /^(x-index-head-age|retry-after)$/

/**
 * Headers in a form that allows comparing two responses of different times. Headers of one request are removed,
 * and so are the values of headers that change with the clock.
 */
export function lastingHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries(
    [...headers]
      .filter(([name]) => !ofTheRequest.test(name))
      .map(([name, value]) => [name, ofTheMoment.test(name) ? 'of the moment' : value]),
  )
}
