import { afterEach } from 'vitest'
import { undocumented } from './documentedAnswers.ts'
import { holdServed } from './holdServed.ts'

const held = Symbol.for('mintmark.heldAnswers')

/** Global in a vitest worker: each test file loads a copy of this module, and only the first copy checks responses. */
const worker = globalThis as { [held]?: string[] }

/**
 * Returns the same response, validated against openapi.json: status and headers here, the body when the test reads it. Each check throws.
 * Responses without `x-request-id` come from other servers and stay unchanged.
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

/** Returns the errors of responses that servers of this process sent since the last call. */
export function takeServedFaults(): string[] {
  return worker[held]?.splice(0) ?? []
}

// Only in the first copy in a worker.
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
