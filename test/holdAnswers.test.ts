import { expect, test } from 'vitest'
import { undocumented } from './documentedAnswers.ts'

const headers = (more: Record<string, string> = {}) =>
  new Headers({ 'x-request-id': '1', 'content-type': 'application/json; charset=utf-8', ...more })
const health = { method: 'GET', path: '/health', status: 200, headers: headers() }

test('default: an answer as openapi.json says', () => {
  expect(undocumented({ ...health, text: '{"status":"ok","version":"1"}' })).toEqual([])
  expect(undocumented({ ...health, method: 'HEAD' })).toEqual([])
})

test.each([
  ['a field too many', { text: '{"status":"ok","version":"1","more":1}' }, 'must NOT have additional properties'],
  ['a field too few', { text: '{"status":"ok"}' }, "must have required property 'version'"],
  ['another value', { text: '{"status":"well","version":"1"}' }, '/status must be equal to constant'],
  ['another type', { headers: headers({ 'content-type': 'text/html' }), text: '<p>' }, 'the type is text/html'],
  ['no id of the request', { headers: new Headers() }, 'the header x-request-id is missing'],
  ['a header that nobody told of', { headers: headers({ 'x-index-moon': '1' }) }, 'x-index-moon is not documented'],
  ['a status that nobody told of', { status: 418 }, 'GET /health answers 418'],
  [
    'an error of another form',
    { status: 503, headers: headers({ 'retry-after': '2' }), text: '{}' },
    "property 'message'",
  ],
  [
    'no time to ask again',
    { status: 503, text: '{"message":"","statusCode":503}' },
    'the header retry-after is missing',
  ],
])('error: %s', (_, change, fault) => {
  expect(undocumented({ ...health, ...change })).toEqual(expect.arrayContaining([expect.stringContaining(fault)]))
})

test('behavior: the path with a fixed word is taken, and the alias of the second version', () => {
  const state = { status: 202, headers: headers(), text: '{"status":"SYNCED","metadata_progress":1}' }
  const path = `/api/v2.2/nft/0x${'1'.repeat(40)}/sync`
  expect(undocumented({ method: 'PUT', path, ...state })).toEqual([])
})

test('error: what a test receives by fetch is held, in a server of its own process or not', async () => {
  const { createServer } = await import('node:http')
  const server = createServer((_, response) =>
    response.setHeader('x-request-id', '1').setHeader('content-type', 'application/json').end('{"status":"ok"}'),
  )
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  try {
    const { port } = server.address() as { port: number }
    const response = await fetch(`http://127.0.0.1:${port}/health`)
    await expect(response.json()).rejects.toThrow("required property 'version'")
  } finally {
    server.close()
  }
})
