import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ByteRow, createRowSplitter } from './byteRows.ts'
import { createRowMemory } from './rowMemory.ts'

function message(code: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(code)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function rowOf(fields: ByteRow): Buffer {
  const count = Buffer.alloc(2)
  count.writeUInt16BE(fields.length)
  const columns = fields.flatMap((field) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(field === null ? -1 : field.length)
    return field === null ? [length] : [length, field]
  })
  return message('D', Buffer.concat([count, ...columns]))
}

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array))
const row = fc.array(fc.option(bytes), { maxLength: 4 }).map((fields) => ({ row: fields, wire: rowOf(fields) }))
const other = fc.tuple(fc.constantFrom('C', 'T', 'Z', 'E'), bytes).map(([code, body]) => ({
  row: undefined,
  wire: message(code, body),
}))

test('behavior: splits rows and all other messages in order, however they are chunked', () => {
  const memory = createRowMemory()
  fc.assert(
    fc.property(fc.array(fc.oneof(row, other)), fc.array(fc.nat(60)), (messages, cuts) => {
      const seen: (ByteRow | Buffer)[] = []
      const split = createRowSplitter({
        memory,
        onRow: (fields) => seen.push(fields),
        onOther(part) {
          const last = seen.at(-1)
          if (Buffer.isBuffer(last)) seen[seen.length - 1] = Buffer.concat([last, part])
          else seen.push(part)
        },
      })
      const all = Buffer.concat(messages.map(({ wire }) => wire))
      for (let at = 0, round = 0; at < all.length; round++) {
        const size = 1 + (cuts[round % Math.max(1, cuts.length)] ?? 0)
        // The memory of a chunk is reused for the next one.
        const chunk = Buffer.from(all.subarray(at, at + size))
        split(chunk)
        chunk.fill(0xff)
        at += size
      }
      const expected: (ByteRow | Buffer)[] = []
      for (const { row, wire } of messages) {
        const last = expected.at(-1)
        if (row) expected.push(row)
        else if (Buffer.isBuffer(last)) expected[expected.length - 1] = Buffer.concat([last, wire])
        else expected.push(wire)
      }
      expect(seen).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})
