import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  AddressBlockedError,
  type OutboundError,
  RedirectRefusedError,
  TooLargeError,
  TooManyRedirectsError,
} from '../../net/outboundError.ts'
import { noopLog } from '../../util/log.ts'
import { fetchMedia } from './fetchMedia.ts'
import type { DueMedia } from './mediaStore.ts'

const host = 'art.example'
const blocked = new AddressBlockedError({ host, address: '10.0.0.1', reason: 'private' })
const media = { url: `https://${host}/1.png`, attempts: 0 } as DueMedia

/** Returns the outcome for an image whose host gives this response. */
async function outcomeOf(answer: OutboundError | Buffer, url = media.url) {
  const get = async () => {
    if (answer instanceof Error) throw answer
    return { body: answer, contentType: 'image/png' } as never
  }
  const origins = { http: { get, pausedMs: () => 0 }, gateways: { get } }
  const settings = { retryDelaysMs: [30_000], maxBytes: 1_000, drawsVideos: false }
  const found = await fetchMedia(
    { origins, settings, log: noopLog, signal: new AbortController().signal },
    { ...media, url },
  )
  return found
}

test.each([
  ['a loop of redirects', new TooManyRedirectsError({ host, limit: 5 })],
  ['a redirect to a blocked address', new RedirectRefusedError({ host, cause: blocked })],
  ['an empty body', Buffer.alloc(0)],
  ['truncated gzip', gzipSync('<svg/>').subarray(0, 20)],
  ['an answer with large headers', new TooLargeError({ host, what: 'headers', limit: 16_384 })],
])('behavior: %s is retried, as the host may respond differently later', async (_, answer) => {
  expect(await outcomeOf(answer)).toMatchObject({ status: 'host_unavailable', retryAt: expect.any(Date) })
})

test.each([
  ['an image that is too large', 'unsupported_media', new TooLargeError({ host, what: 'body', limit: 1_000 })],
  ['gzip of an image that is too large', 'unsupported_media', gzipSync(Buffer.alloc(1_001))],
  ['a blocked address', 'invalid_url', blocked],
])('behavior: %s is not retried', async (_, status, answer) => {
  expect(await outcomeOf(answer)).toMatchObject({ status, retryAt: null })
})

test.each([
  [media.url, expect.any(Date)],
  ['data:text/html,x', null],
  ['ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy', null],
])('behavior: only content of a host is retried if it turns out to be no media: %s', async (url, retryAt) => {
  expect(await outcomeOf(Buffer.from('<html>'), url)).toMatchObject({ bytes: expect.anything(), retryAt })
})
