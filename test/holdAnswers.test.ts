import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync } from 'node:zlib'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { undocumented } from './documentedAnswers.ts'
import { takeServedFaults } from './holdAnswers.ts'

const headers = (more: Record<string, string> = {}) =>
  new Headers({ 'x-request-id': '1', 'content-type': 'application/json; charset=utf-8', ...more })
const health = { method: 'GET', path: '/health', status: 200, headers: headers() }

test('default: accepts a response that matches openapi.json', () => {
  expect(undocumented({ ...health, text: '{"status":"ok","version":"1"}' })).toEqual([])
  expect(undocumented({ ...health, method: 'HEAD' })).toEqual([])
})

test.each([
  ['a field too many', { text: '{"status":"ok","version":"1","more":1}' }, 'must NOT have additional properties'],
  ['a field too few', { text: '{"status":"ok"}' }, "must have required property 'version'"],
  ['another value', { text: '{"status":"well","version":"1"}' }, '/status must be equal to constant'],
  ['another type', { headers: headers({ 'content-type': 'text/html' }), text: '<p>' }, 'the type is text/html'],
  ['no id of the request', { headers: new Headers() }, 'the header x-request-id is missing'],
  ['a header that nothing documents', { headers: headers({ 'x-index-moon': '1' }) }, 'x-index-moon is not documented'],
  ['a status that nothing documents', { status: 418 }, 'GET /health answers 418'],
  [
    'an error of another form',
    { status: 503, headers: headers({ 'retry-after': '2' }), text: '{}' },
    "property 'message'",
  ],
  ['no time to retry', { status: 503, text: '{"message":"","statusCode":503}' }, 'the header retry-after is missing'],
])('error: reports %s', (_, change, fault) => {
  expect(undocumented({ ...health, ...change })).toEqual(expect.arrayContaining([expect.stringContaining(fault)]))
})

test('behavior: matches a path with a literal segment, and the v2.2 alias', () => {
  const state = { status: 202, headers: headers(), text: '{"status":"SYNCED","metadata_progress":1}' }
  const path = `/api/v2.2/nft/0x${'1'.repeat(40)}/sync`
  expect(undocumented({ method: 'PUT', path, ...state })).toEqual([])
})

/** A server that sends request ids, as Mintmark does, but omits what openapi.json requires. */
async function startForgetful(answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/health`, [Symbol.dispose]: () => void server.close() }
}

const forgetful = '{"status":"ok"}'
const named = ['x-request-id', '1', 'content-type', 'application/json']

test('error: checks responses that a test receives by fetch, from a server in its own process or not', async () => {
  using server = await startForgetful((response) => response.writeHead(200, named).end(forgetful))
  const response = await fetch(server.url)
  await expect(response.json()).rejects.toThrow("required property 'version'")
  expect(takeServedFaults()).toEqual([expect.stringContaining("required property 'version'")])
})

test.each([
  ['names and values by turns', named, forgetful],
  ['a record of headers', { 'x-request-id': '1', 'content-type': 'application/json' }, Buffer.from(forgetful)],
  ['a compressed body', [...named, 'content-encoding', 'br'], brotliCompressSync(forgetful)],
])('error: checks responses of a server in this process for any client: %s', async (_, headers, body) => {
  using server = await startForgetful((response) => response.writeHead(200, headers as string[]).end(body))
  const { body: received } = await request(server.url)
  await received.dump()
  expect(takeServedFaults()).toEqual([expect.stringContaining("required property 'version'")])
})
