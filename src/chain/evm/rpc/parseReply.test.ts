import { expect, test } from 'vitest'
import { parseReply } from './parseReply.ts'

const mask = (text: string) => text.replaceAll('secret', '***')

const onlyFault = (json: unknown, status: number, ids = [7]) => {
  const parsed = parseReply(json, status, ids, mask)
  if (parsed.kind !== 'outcomes') return parsed
  const [outcome] = parsed.outcomes
  return { kind: 'call', ...outcome }
}

test.each([
  [401, { message: 'No API key found in request' }, 'unauthorized', 'HTTP 401: No API key found in request'],
  [403, { message: 'Forbidden' }, 'unauthorized', 'HTTP 403: Forbidden'],
  [
    404,
    { message: 'no Route matched with secret', statusCode: 404 },
    'unauthorized',
    'HTTP 404: no Route matched with ***',
  ],
  [429, { message: 'Too Many Requests' }, 'rate_limit', 'HTTP 429: Too Many Requests'],
  [429, { detail: 5, message: 7 }, 'rate_limit', 'HTTP 429'],
  [503, {}, 'overload', 'HTTP 503'],
])(
  'behavior: classifies HTTP %i with %j, which is not JSON-RPC, by status and message',
  (status, json, name, detail) => {
    const fault = expect.objectContaining({ class: name, detail })
    expect(onlyFault(json, status)).toEqual({ kind: 'fault', fault })
    // A batch for a URL without a key, or too many batches, shows nothing about batches.
    expect(onlyFault(json, status, [7, 8])).toEqual({ kind: 'fault', fault })
  },
)

test.each([
  [401, { error: 'Must be authenticated!' }, 'unauthorized'],
  [401, { jsonrpc: '2.0', error: { code: -32_600, message: 'Must be authenticated!' } }, 'unauthorized'],
  [429, { error: 'Too many requests' }, 'rate_limit'],
  [200, { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'invalid api key' } }, 'unauthorized'],
])('behavior: assigns an error without an id, with HTTP %i, to the only call', (status, json, name) => {
  expect(onlyFault(json, status)).toMatchObject({ kind: 'call', fault: { class: name } })
})

test('error: rejects a response with another id, and a result without an id', () => {
  const broken = { kind: 'fault', fault: { class: 'broken', detail: 'the answer has other ids' } }
  expect(onlyFault({ jsonrpc: '2.0', id: 8, result: '0x1' }, 200)).toEqual(broken)
  expect(onlyFault({ jsonrpc: '2.0', result: '0x1' }, 200)).toEqual(broken)
  expect(onlyFault('<html>', 200)).toMatchObject({ kind: 'fault', fault: { detail: 'HTTP 200 without JSON' } })
})

test('behavior: a batch that a node rejects as a whole is made smaller', () => {
  expect(onlyFault({ message: 'payload too large' }, 413, [7, 8])).toMatchObject({
    kind: 'batch_refused',
    never: false,
  })
  expect(onlyFault({ id: null, result: null }, 200, [7, 8])).toMatchObject({ kind: 'batch_refused', never: true })
  // As geth does, in the name of the first call that has an id.
  for (const id of [7, null])
    expect(onlyFault([{ id, error: { code: -32_600, message: 'batch too large' } }], 200, [7, 8])).toMatchObject({
      kind: 'batch_refused',
      never: false,
    })
  expect(onlyFault([{ id: 7, error: { code: -32_005, message: 'rate limit exceeded' } }], 200, [7, 8])).toMatchObject({
    kind: 'fault',
    fault: { class: 'rate_limit' },
  })
})
