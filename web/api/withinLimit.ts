import type { ApiCall } from './apiCall.ts'
import { type ApiFault, lostAnswer } from './apiFault.ts'

/** Timeout of a request: a connection that died unnoticed never responds, and its slot is needed. */
export const longestRequestMs = 60_000

/** Sends a request by `request`. Throws ApiFault after `longestRequestMs`, else the error of `request`. */
export async function withinLimit<T>(call: ApiCall<unknown>, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), longestRequestMs)
  try {
    return await request(patience.signal)
  } catch (error) {
    throw patience.signal.aborted ? noAnswer(call) : error
  } finally {
    clearTimeout(timer)
  }
}

/** The error of a request that timed out. */
export function noAnswer(call: ApiCall<unknown>): ApiFault {
  return lostAnswer(call, `the server did not respond within ${longestRequestMs / 1_000} seconds`)
}
