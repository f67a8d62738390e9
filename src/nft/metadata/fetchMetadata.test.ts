import { expect, test } from 'vitest'
import { guardedClient } from '../../../test/guardedClient.ts'
import { createRawServer, httpAnswer } from '../../../test/rawServer.ts'
import { fetchMetadata, type Origins } from './fetchMetadata.ts'
import { createMetadataHosts } from './store/metadataHosts.ts'

const { signal } = new AbortController()

/** A request for the metadata of the first token of a collection without known hosts. */
const requestOf = (uri = 'https://example.org/1') => ({
  uri,
  tokenId: 1n,
  hosts: createMetadataHosts([], { retryDelaysMs: [60_000] }),
  signal,
})

/** Origins that return a response without a body, so that the code throws. */
function originsOf(answer: unknown): Origins {
  const get = async () => answer as never
  return { http: { get, pausedMs: () => 0 }, gateways: { get } }
}

test('behavior: metadata that causes an exception fails alone', async () => {
  const fetched = await fetchMetadata(originsOf({ body: null, contentType: null }), requestOf())
  expect(fetched).toEqual({ kind: 'failed', reason: 'internal error, see the log', retryAfterMs: undefined })
})

test('error: an error of this machine is thrown, and does not count as a metadata failure', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  const get = () => Promise.reject(full)
  const origins: Origins = { http: { get, pausedMs: () => 0 }, gateways: { get } }
  await expect(fetchMetadata(origins, requestOf())).rejects.toBe(full)
})

const answered = (body: unknown) =>
  fetchMetadata(originsOf({ body: Buffer.from(JSON.stringify(body)), contentType: 'application/json' }), requestOf())

test.each([
  [{ message: 'Internal server error' }, 'message: Internal server error'],
  [{ Message: 'Endpoint request timed out' }, 'message: Endpoint request timed out'],
  [{ message: 'unknown' }, 'message: unknown'],
  [{ message: { name: 'unknown', tokenId: '' } }, 'message: {"name":"unknown","tokenId":""}'],
  [{ type: 'about:blank', title: 'Not Found', status: 404 }, 'status: 404'],
  [{ error: 'Token does not exist' }, 'error: Token does not exist'],
  [{ error: { code: 429, message: 'Too many requests' } }, 'error: Too many requests'],
  [{ error: { reason: 'x' } }, 'error: {"reason":"x"}'],
  [{ errors: [{ detail: 'gone' }] }, 'errors: [{"detail":"gone"}]'],
  [{ statusCode: 404, error: 'Not Found' }, 'error: Not Found'],
  [{ status: 404 }, 'status: 404'],
  [{ status: 'error', data: null }, 'status: error'],
  [{ success: false }, 'success: false'],
  [{ detail: 'Not found.' }, 'detail: Not found.'],
  [{ name: 'Not Found', code: 404 }, 'name: Not Found'],
  [{ name: 'NotFound', message: 'Page not found', code: 404, className: 'not-found' }, 'message: Page not found'],
  [{ name: 'TypeError', message: 'x is undefined' }, 'message: x is undefined'],
  [{ ok: false, code: 404, description: 'Not Found' }, 'description: Not Found'],
  [{ message: 'no token', name: '', image: null, attributes: [] }, 'message: no token'],
  [{ name: 'Not Found', description: 'The resource could not be found', status: 404 }, 'status: 404'],
  [{ name: 'Error', description: 'No such token', code: '500' }, 'name: Error'],
  [{ code: 404 }, 'code: 404'],
  [{ ok: false, code: 'TOKEN_NOT_FOUND' }, 'ok: false'],
  [{ success: 'false', data: null }, 'success: false'],
  [{ errorCode: 'E1', requestId: 'x' }, 'errorcode: E1'],
  [{ fault: { faultstring: 'x' } }, 'fault: {"faultstring":"x"}'],
  [{ status: 'ok' }, 'status: ok'],
  [{ status: 'success', message: 'OK', data: null }, 'message: OK'],
  [{ error: false, message: 'no such token' }, 'message: no such token'],
])('error: a 200 response of %j is not metadata', async (body, fault) => {
  expect(await answered(body)).toEqual({
    kind: 'failed',
    reason: `an error instead of metadata (${fault})`,
    retryAfterMs: undefined,
  })
})

test.each([
  [{ name: 'A', message: 'Hello', status: 'revealed' }],
  [{ image: 'ipfs://Qm', error: null }],
  [{ NAME: 'A', error: 'none' }],
  [{ traits: [{ trait_type: 'A', value: 1 }], status: 1 }],
  [{ foo: 'bar' }],
  [{ name: 'Not Found', code: 404, image: 'ipfs://Qm' }],
  [{ name: 'Not Found', description: 'A lost piece', status: 'revealed' }],
  [{ name: 'Not Found' }],
  [{ name: 'Pass 404', code: 404 }],
  [{ name: 'Terror', status: 'alive' }],
  [{ code: 'let x = 1', success: true }],
  [{}],
  [{ error: '', message: null }],
  [{ error: false, owner: '0x01' }],
  [{ name: 'A', status: { toString: 1, valueOf: 1 }, code: [{ toString: 1 }] }],
  [{ error: 0, status: 200, data: { name: 'A' } }],
  [{ status: 'ok', message: 'success', result: { name: 'A' } }],
  [{ name: 'Not Found', description: 'A lost piece', code: 7 }],
])('behavior: accepts %j as metadata', async (body) => {
  expect(await answered(body)).toMatchObject({ kind: 'metadata', metadata: { text: JSON.stringify(body) } })
})

test('behavior: an error object in the token URI itself is permanent', async () => {
  const uri = `data:application/json,${JSON.stringify({ error: 'no such token' })}`
  expect(await fetchMetadata(originsOf(undefined), requestOf(uri))).toEqual({
    kind: 'permanent',
    reason: 'an error instead of metadata (error: no such token)',
  })
})

test.each([
  ['a body without end', httpAnswer(200, ' '.repeat(1_048_577)), /exceeds 1048576 bytes/],
  ['redirects in a circle', httpAnswer(302, '', { location: '/1' }), /redirects more than/],
  ['headers of a megabyte', httpAnswer(200, '{}', { 'x-long': 'x'.repeat(1_000_000) }), /headers .* exceed/],
])('error: %s is retried', async (_, answer, reason) => {
  await using host = await createRawServer((_request, socket) => void socket.write(answer))
  await using http = guardedClient()
  const { gateways } = originsOf(undefined)
  const fetched = await fetchMetadata({ http, gateways }, requestOf(`${host.url}/1`))
  expect(fetched).toEqual({ kind: 'failed', reason: expect.stringMatching(reason), retryAfterMs: undefined })
})

test.each(['http://10.0.0.1/login', 'http://127.0.0.1:6379/', 'myapp://login'])(
  'error: a redirect to %s is retried, as only the requested address is permanent',
  async (location) => {
    await using host = await createRawServer((_request, socket) => void socket.write(httpAnswer(302, '', { location })))
    await using http = guardedClient()
    const { gateways } = originsOf(undefined)
    const fetched = await fetchMetadata({ http, gateways }, requestOf(`${host.url}/1`))
    const reason = expect.stringContaining('redirects to an address that is not requested: ')
    expect(fetched).toEqual({ kind: 'failed', reason, retryAfterMs: undefined })
  },
)

test('error: an address that is not on the public internet is a permanent failure', async () => {
  await using http = guardedClient()
  const { gateways } = originsOf(undefined)
  const fetched = await fetchMetadata({ http, gateways }, requestOf('http://10.0.0.1/1'))
  expect(fetched).toEqual({ kind: 'permanent', reason: expect.stringContaining('private') })
})
