import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Journal, Unreachable } from '../journal.ts'

export const worldKey = 'key-of-the-seeded-world'

/** An answer of the service; `at` is when it was requested, in the journal's time. */
export type Answered = { status: number; headers: Record<string, string>; text: string; at: number }

export type Asking = { method?: 'GET' | 'PUT' | 'POST' | 'DELETE'; body?: unknown }

/**
 * A client of the service that watches every answer: no 5xx but a 503 while something that the answer needs is unreachable. At any time a node fails
 * single calls, and on a busy machine all of them may answer late: so a 503 that says that no node answered is requested once more.
 */
export type WorldClient = {
  /** undefined: there was no answer, as the process that serves was down, or a 503 while something was unreachable. */
  ask(path: string, asking?: Asking): Promise<Answered | undefined>
  /** Answers by status, of all that were requested. */
  counts: ReadonlyMap<number | 'lost', number>
}

/** How long after the database, a node or the process came back an answer may still be one of before, in milliseconds. */
const graceMs = 10_000
const patienceMs = 120_000
/** How long after an answer that no node gave what it needs the same has to be answered, in milliseconds. */
const againMs = 2_000

/** Of the processes that answer at `urls`, in the order of their names. All requests of one path go to one process, also those of a walk's pages. */
export function createWorldClient(urls: readonly string[], journal: Journal): WorldClient {
  const dispatcher = new Agent({ headersTimeout: patienceMs, bodyTimeout: patienceMs })
  const counts = new Map<number | 'lost', number>()
  const count = (what: number | 'lost') => counts.set(what, (counts.get(what) ?? 0) + 1)

  async function ask(path: string, asking: Asking, isAgain: boolean): Promise<Answered | undefined> {
    const { method = 'GET', body } = asking
    const at = journal.now()
    const server = hash('md5', path.replace(/[?&]cursor=.*$/, ''), 'buffer')[0]! % urls.length
    const own = `api ${server + 1}` as const
    const away = (what: Unreachable) => journal.wasUnreachable(what, at, journal.now(), graceMs)
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
        if (statusCode === 503 && (away('database') || away('nodes') || away(own))) {
          journal.excuse('503 while something was unreachable')
          return undefined
        }
        if (statusCode === 503 && method === 'GET' && !isAgain && text.includes('no node of chain')) {
          journal.excuse('503 that no node answered, queried again')
          await wait(againMs)
          return ask(path, asking, true)
        }
        journal.fault('5 answers', `${method} ${path} was answered ${statusCode}: ${text.slice(0, 300)}`)
        return undefined
      }
      const pairs = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
      return { status: statusCode, headers: Object.fromEntries(pairs) as Record<string, string>, text, at }
    } catch (error) {
      count('lost')
      if (!away(own)) journal.fault('5 answers', `${method} ${path} was not answered: ${String(error)}`)
      return undefined
    }
  }

  return { counts, ask: (path, asking = {}) => ask(path, asking, false) }
}

/** Retries, a few times, where there was no answer for a reason that the world lets pass: for checks that need one. */
export function askingAgain({ ask, counts }: WorldClient): WorldClient {
  return {
    counts,
    async ask(path, asking) {
      for (let left = 5; left > 0; left--) {
        const answer = await ask(path, asking)
        if (answer) return answer
        await wait(againMs)
      }
      return undefined
    },
  }
}
