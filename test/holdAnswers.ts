import { undocumented } from './documentedAnswers.ts'

const held = Symbol.for('mintmark.heldAnswers')

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

// Every test file of a worker brings this again.
if (!(held in globalThis)) {
  Object.assign(globalThis, { [held]: true })
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init)
    const { url, method } = input instanceof Request ? input : { url: String(input), method: 'GET' }
    return holdAnswer(response, (init?.method ?? method).toUpperCase(), url)
  }
}
