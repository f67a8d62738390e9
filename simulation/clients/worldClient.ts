import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Journal, Unreachable } from '../journal.ts'

export const worldKey = 'key-of-the-seeded-world'

/** A response of the service. `at`: the journal's time of the request. */
export type Answered = { status: number; headers: Record<string, string>; text: string; at: number }

export type RequestOptions = { method?: 'GET' | 'PUT' | 'POST' | 'DELETE'; body?: unknown }

/**
 * A client of the service that checks every response. A 5xx is an error, except a 503 while something that the request needs is
 * unreachable. Nodes fail single calls at any time, and on a busy machine all of them may be late. So the client repeats a request once
 * after a 503 which says that no node answered.
 */
export type WorldClient = {
  /** Returns undefined if there is no usable response: the process was down, or it returned 503 while something was unreachable. */
  request(path: string, requesting?: RequestOptions): Promise<Answered | undefined>
  /** Number of responses by status. */
  counts: ReadonlyMap<number | 'lost', number>
}

/** Milliseconds after a recovery in which a response may still come from before it. */
const graceMs = 10_000
const patienceMs = 120_000
/** Milliseconds until the client repeats a request. */
const againMs = 2_000

/** `urls`: addresses of the API processes. All requests of one path go to the same process, including all pages of a walk. */
export function createWorldClient(urls: readonly string[], journal: Journal): WorldClient {
  const dispatcher = new Agent({ headersTimeout: patienceMs, bodyTimeout: patienceMs })
  const counts = new Map<number | 'lost', number>()
  const count = (what: number | 'lost') => counts.set(what, (counts.get(what) ?? 0) + 1)

  async function query(path: string, requesting: RequestOptions, isAgain: boolean): Promise<Answered | undefined> {
    const { method = 'GET', body } = requesting
    const at = journal.now()
    const server = hash('md5', path.replace(/[?&]cursor=.*$/, ''), 'buffer')[0]! % urls.length
    const own = `api ${server + 1}` as const
    const isExcused = (what: Unreachable) => journal.wasUnreachable(what, at, journal.now(), graceMs)
    try {
      const answer = await request(urls[server]! + path, {
        dispatcher,
        method,
        headers: { 'x-api-key': worldKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const { statusCode } = answer
      const text = await answer.body.text()
      count(statusCode)
      if (statusCode >= 500) {
        if (statusCode === 503 && (isExcused('database') || isExcused('nodes') || isExcused(own))) {
          journal.excuse('503 while something was unreachable')
          return undefined
        }
        if (statusCode === 503 && method === 'GET' && !isAgain && text.includes('no node of chain')) {
          journal.excuse('503 that no node answered, queried again')
          await wait(againMs)
          return query(path, requesting, true)
        }
        journal.fault('5 answers', `${method} ${path} was answered ${statusCode}: ${text.slice(0, 300)}`)
        return undefined
      }
      const pairs = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
      return { status: statusCode, headers: Object.fromEntries(pairs) as Record<string, string>, text, at }
    } catch (error) {
      count('lost')
      if (!isExcused(own)) journal.fault('5 answers', `${method} ${path} was not answered: ${String(error)}`)
      return undefined
    }
  }

  return { counts, request: (path, requesting = {}) => query(path, requesting, false) }
}

/** Returns a client for checks, which need a response: it repeats a request a few times while there is an accepted reason for none. */
export function retrying({ request: query, counts }: WorldClient): WorldClient {
  return {
    counts,
    async request(path, requesting) {
      for (let remaining = 5; remaining > 0; remaining--) {
        const answer = await query(path, requesting)
        if (answer) return answer
        await wait(againMs)
      }
      return undefined
    },
  }
}
