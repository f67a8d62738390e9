import { parseRetryAfter } from '../util/retryAfter.ts'

/** Longest time for which the Retry-After of a stranger's host is obeyed, in milliseconds: a day. */
const longestMs = 86_400_000

/** How long a stranger's host asks to be left alone, in milliseconds from `now`; undefined where it names no time. */
export function retryAfterOf(header: string | string[] | undefined, now = Date.now()): number | undefined {
  return parseRetryAfter(header, { longestMs, now })
}
