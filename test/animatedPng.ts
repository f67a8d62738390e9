import { crc32, deflateSync } from 'node:zlib'

/** An animated PNG. Each frame has 8 × 8 pixels; each pause is a fraction of a second. */
export function animatedPng(pauses: readonly [numerator: number, denominator: number][]): Buffer {
  const numbers = (...values: number[]) => {
    const bytes = Buffer.alloc(4 * values.length)
    for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i)
    return bytes
  }
  const frames = pauses.flatMap(([numerator, denominator], n) => {
    const control = Buffer.concat([numbers(Math.max(0, 2 * n - 1), 8, 8, 0, 0), Buffer.alloc(6)])
    control.writeUInt16BE(numerator, 20)
    control.writeUInt16BE(denominator, 22)
    const row = Buffer.alloc(25, 40 * n + 1).fill(0, 0, 1)
    const pixels = deflateSync(Buffer.concat(Array.from({ length: 8 }, () => row)))
    const data = n === 0 ? chunk('IDAT', pixels) : chunk('fdAT', Buffer.concat([numbers(2 * n), pixels]))
    return [chunk('fcTL', control), data]
  })
  const head = chunk('IHDR', Buffer.concat([numbers(8, 8), Buffer.from([8, 2, 0, 0, 0])]))
  const animation = chunk('acTL', numbers(pauses.length, 0))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, head, animation, ...frames, chunk('IEND', Buffer.alloc(0))])
}

/** A chunk of a PNG. */
function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}
