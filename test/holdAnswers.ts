import { afterEach } from 'vitest'
import { undocumented } from './documentedAnswers.ts'
import { holdServed } from './holdServed.ts'

const held = Symbol.for('mintmark.heldAnswers')

/** Global in a worker of vitest: each test file loads a copy of this module, and only the first copy checks answers. */
const worker = globalThis as { [held]?: string[] }

/**
 * The same answer, checked against openapi.json: its status and headers here, its body when the test reads it. Each check throws. Answers
 * without `x-request-id` are those of other servers and stay as they are.
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

/** The errors of answers that servers of this process gave since the last call. */
export function takeServedFaults(): string[] {
  return worker[held]?.splice(0) ?? []
}

// Only in the first copy of a worker.
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
