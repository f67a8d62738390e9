import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { guardedClient, rejection } from '../../../test/guardedClient.ts'
import { rawBlock } from '../../../test/ipfsBlocks.ts'
import { gatewaysOver } from '../../../test/ipfsGateway.ts'
import { patience } from '../../../test/patience.ts'
import { createRawServer, httpAnswer, type RawHandler } from '../../../test/rawServer.ts'

const film = Buffer.alloc(2_000_000, 'film ')

/** The head of an answer whose body never ends. */
const endless =
  (headers = ''): RawHandler =>
  (_, socket) => {
    const pour = () => {
      while (socket.writable && socket.write(film.subarray(0, 100_000)));
    }
    socket.write(`HTTP/1.1 200 X\r\n${headers}\r\n`)
    socket.on('drain', pour)
    pour()
  }

test.each([
  ['whose length is not reported', endless()],
  ['announced as too large', endless('content-length: 10000000000\r\n')],
])('default: reads only the start of an unwanted body: one %s', async (_, handler) => {
  await using server = await createRawServer(handler)
  await using client = guardedClient({ maxBytes: 20_000_000 })
  const seen: Buffer[] = []
  const wants = (start: Buffer) => seen.push(start) < 1
  const error = await rejection(client.get(server.url, { wants }))
  expect(error).toMatchObject({ code: 'UNWANTED_BODY', retryable: false })
  expect(film.subarray(0, 65_536).equals(error.start as Buffer)).toBe(true)
  expect(seen).toHaveLength(1)
  await vi.waitFor(() => expect(server.requested()).toBe(0), patience)
})

test('behavior: the start of a compressed body is checked after decompression', async () => {
  const answer = httpAnswer(200, gzipSync(film), { 'content-encoding': 'gzip' })
  await using server = await createRawServer((_, socket) => socket.write(answer))
  await using client = guardedClient()
  const error = await rejection(client.get(server.url, { wants: () => false }))
  expect(error).toMatchObject({ code: 'UNWANTED_BODY' })
  expect(film.subarray(0, 65_536).equals(error.start as Buffer)).toBe(true)
})

test('behavior: a wanted body is read to its end, within its size limit', async () => {
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(200, film)))
  await using client = guardedClient({ maxBytes: 20_000_000 })
  const wants = () => true
  expect((await client.get(server.url, { wants })).body.equals(film)).toBe(true)
  expect(await rejection(client.get(server.url, { wants, maxBytes: 1_000_000 }))).toMatchObject({ code: 'TOO_LARGE' })
})

test('behavior: a short body is read whole, without a check of its start', async () => {
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(200, 'short')))
  await using client = guardedClient()
  expect((await client.get(server.url, { wants: () => false })).body.toString()).toBe('short')
})

test('behavior: an unwanted body of one gateway is not requested from another', async () => {
  await using first = await createRawServer((_, socket) => socket.write(httpAnswer(200, film)))
  await using second = await createRawServer((_, socket) => socket.write(httpAnswer(200, film)))
  await using gateways = gatewaysOver([first, second])
  const content = { network: 'ipfs', id: rawBlock(film).cid.toString(), path: '', original: null } as const
  expect(await rejection(gateways.get(content, { wants: () => false }))).toMatchObject({ code: 'UNWANTED_BODY' })
  expect([first.requests.length, second.requests.length]).toEqual([1, 0])
})
