import { text } from 'node:stream/consumers'
import { setImmediate as tick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPacer } from './pacer.ts'

/** A stream whose parts are always ready, like those of a file in the system's cache. */
function readyStream(parts: number, onPart: () => void = () => undefined): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent++ === parts) return controller.close()
        onPart()
        controller.enqueue(Buffer.from('x'))
      },
    },
    { highWaterMark: 0 },
  )
}

test('behavior: the concurrent streams of one key send at most one part per round of the event loop', async () => {
  const { pace } = createPacer()
  let inRound = 0
  const most: number[] = []
  const streams = Array.from({ length: 8 }, () =>
    pace(
      1n,
      readyStream(20, () => inRound++),
    ),
  )
  let remaining = streams.length
  const read = streams.map((stream) => text(stream).finally(() => remaining--))
  // The last stream runs alone and may send more.
  while (remaining > 1) {
    await tick()
    most.push(inRound)
    inRound = 0
  }
  expect(await Promise.all(read)).toEqual(Array(8).fill('x'.repeat(20)))
  expect(Math.max(...most)).toBe(1)
})

test('behavior: a key with one stream gets a fair share beside a key with eight streams', async () => {
  const { pace } = createPacer()
  let ofMany = 0
  const many = Array.from({ length: 8 }, () =>
    text(
      pace(
        1n,
        readyStream(100, () => ofMany++),
      ),
    ),
  )
  await text(pace(2n, readyStream(100)))
  expect(ofMany).toBeLessThan(150)
  await Promise.all(many)
})

test('behavior: a cancelled or failed stream does not block the other streams of its key', async () => {
  const { pace } = createPacer()
  const cancelled = pace(1n, readyStream(10)).getReader()
  await cancelled.read()
  await cancelled.cancel()
  const failing = new ReadableStream<Uint8Array>({
    pull() {
      throw new Error('the disk failed')
    },
  })
  await expect(text(pace(1n, failing))).rejects.toThrow('the disk failed')
  expect(await text(pace(1n, readyStream(3)))).toBe('xxx')
})
