import { afterEach } from 'vitest'
import { undocumented } from './documentedAnswers.ts'
import { holdServed } from './holdServed.ts'

const held = Symbol.for('mintmark.heldAnswers')

/** Of this worker: each test file brings a copy of this module, and the first one holds. */
const worker = globalThis as { [held]?: string[] }

/**
 * The same answer, which fails where it is not as openapi.json says: here in its status and headers, and when its body is read. What
 * other servers answer stays as it is: they name no request.
 */
export function holdAnswer(response: Response, method: string, url: string): Response {
  if (!response.headers.has('x-request-id')) return response
  const answer = { method, path: new URL(url).pathname, status: response.status, headers: response.headers }
  check(undocumented(answer))
  const read = response.text.bind(response)
  const text = async () => {
    const body = await read()
    check(undocumented({ ...answer, text: body }))
    return body
  }
  Object.defineProperty(response, 'text', { value: text })
  Object.defineProperty(response, 'json', { value: async () => JSON.parse(await text()) })
  return response
}

function check(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`an answer is not as openapi.json says: ${faults.slice(0, 5).join('; ')}`)
}

/** What servers of this process answered since this was last asked that is not as openapi.json says. */
export function takeServedFaults(): string[] {
  return worker[held]?.splice(0) ?? []
}

// Every test file of a worker brings this again.
if (!worker[held]) {
  const faults: string[] = []
  worker[held] = faults
  holdServed((fault) => faults.push(fault))
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init)
    const { url, method } = input instanceof Request ? input : { url: String(input), method: 'GET' }
    return holdAnswer(response, (init?.method ?? method).toUpperCase(), url)
  }
}

afterEach(() => check(takeServedFaults()))
