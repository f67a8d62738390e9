import { expect, test } from 'vitest'
import { createFrameReader, encodeFrame, FrameError } from './frame.ts'

const bytes = Buffer.concat([
  ...encodeFrame({ n: 1 }, [Buffer.from('ab'), Buffer.from('c')]),
  ...encodeFrame({ n: 2 }),
  ...encodeFrame({ n: 3 }, [Buffer.from('d')]),
])
const expected = [
  [{ n: 1 }, 'abc'],
  [{ n: 2 }, ''],
  [{ n: 3 }, 'd'],
]

test('default: frames are read as they were written, however the stream is chunked', () => {
  for (let size = 1; size <= bytes.length; size++) {
    const reader = createFrameReader<{ n: number }>(3)
    const frames = []
    for (let at = 0; at < bytes.length; at += size) frames.push(...reader.push(bytes.subarray(at, at + size)))
    expect(frames.map(({ head, body }) => [head, body.toString()])).toEqual(expected)
  }
})

test('error: rejects a body or head longer than allowed before it arrives', () => {
  expect(() => createFrameReader(2).push(bytes.subarray(0, 8))).toThrow(FrameError)
  const head = Buffer.from('0001000100000000', 'hex')
  expect(() => createFrameReader(2).push(head)).toThrow(FrameError)
})

test('error: rejects a head that is not JSON', () => {
  const broken = Buffer.concat([Buffer.from('0000000100000000', 'hex'), Buffer.from('{')])
  expect(() => createFrameReader(0).push(broken)).toThrow(FrameError)
})
