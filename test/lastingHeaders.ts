/** Headers of one request alone. */
const ofTheRequest = /^(date|x-request-id|x-rate-limit-(remaining|reset))$/
/** Headers whose value changes with the clock. */
const ofTheMoment = /^(x-index-head-age|retry-after)$/

/**
 * The headers of an answer in a form that two answers of different moments can be compared by: without those of one request alone,
 * and without the values of those that change with the clock.
 */
export function lastingHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries(
    [...headers]
      .filter(([name]) => !ofTheRequest.test(name))
      .map(([name, value]) => [name, ofTheMoment.test(name) ? 'of the moment' : value]),
  )
}
