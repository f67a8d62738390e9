import type { ApiCall } from './apiCall.ts'
import { ApiFault } from './apiFault.ts'

/** A request without an answer after that long has failed: of a connection that died unseen no answer comes, and its place is needed. */
export const longestRequestMs = 60_000

/** Sends a request by `ask`, and gives up after `longestRequestMs`. Throws ApiFault then, else what `ask` throws. */
export async function withinLimit<T>(call: ApiCall<unknown>, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), longestRequestMs)
  try {
    return await ask(patience.signal)
  } catch (error) {
    throw patience.signal.aborted ? noAnswer(call) : error
  } finally {
    clearTimeout(timer)
  }
}

/** The error of a request that timed out. */
export function noAnswer({ method }: ApiCall<unknown>): ApiFault {
  const message = `the server did not respond within ${longestRequestMs / 1_000} seconds`
  const isChange = method !== 'GET'
  return new ApiFault(isChange ? `${message}, but may have made the change` : message, { status: 0 })
}
