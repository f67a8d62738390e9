import { Agent, request } from 'undici'
import { patienceMs } from './patience.ts'

/** The error that a node returned for one call. */
export class JsonRpcFault extends Error {
  readonly rpcCode: number
  readonly data: unknown

  constructor(error: { code: number; message: string; data?: unknown }, method: string) {
    super(`${method}: ${error.message} (${error.code})`)
    this.rpcCode = error.code
    this.data = error.data
  }
}

/** Keeps connections open. `fetch` takes three times as long, and tests send tens of thousands of requests. */
const dispatcher = new Agent({ headersTimeout: patienceMs, bodyTimeout: patienceMs })

/** Posts JSON to a node and returns the JSON of its response. */
export async function postJson(url: string, value: unknown): Promise<unknown> {
  const { body } = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  })
  return body.json()
}

/** Sends calls in one HTTP request and returns the results in their order. Tests have their own client so that they do not rely on the product's. */
export async function postJsonRpc(
  url: string,
  calls: readonly { method: string; params: readonly unknown[] }[],
): Promise<unknown[]> {
  const request = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
  const answers = (await postJson(url, request)) as {
    id: number
    result?: unknown
    error?: { code: number; message: string }
  }[]
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  return calls.map((call, id) => {
    const answer = byId.get(id)
    if (!answer || answer.error)
      return new JsonRpcFault(answer?.error ?? { code: 0, message: 'no answer' }, call.method)
    return answer.result
  })
}
