import { expect, test } from 'vitest'
import { fetchDocument, type Origins } from './fetchDocument.ts'

const { signal } = new AbortController()

/** Origins whose answer is nothing that the program can read. */
function originsOf(answer: unknown): Origins {
  const get = async () => answer as never
  return { http: { get, pausedMs: () => 0 }, gateways: { get } }
}

test('behavior: a document over which the program stumbles fails alone', async () => {
  const fetched = await fetchDocument(originsOf({ body: null, contentType: null }), 'https://example.org/1', 1n, signal)
  expect(fetched).toEqual({ kind: 'failed', reason: 'internal error, see the log', retryAfterMs: undefined })
})

test('error: a fault of this machine is none of the document', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  const get = () => Promise.reject(full)
  const origins: Origins = { http: { get, pausedMs: () => 0 }, gateways: { get } }
  await expect(fetchDocument(origins, 'https://example.org/1', 1n, signal)).rejects.toBe(full)
})
