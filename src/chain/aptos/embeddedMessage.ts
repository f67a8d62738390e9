import type protobuf from 'protobufjs'

/** Reads the length of an embedded message and gives the position of its end. */
export function endOf(reader: protobuf.Reader): number {
  const length = reader.uint32()
  const end = reader.pos + length
  if (end > reader.len) throw new RangeError('a message ends beyond the one that holds it')
  return end
}

export function checkEnd(reader: protobuf.Reader, end: number): void {
  if (reader.pos !== end) throw new RangeError('a field ends beyond the message that holds it')
}
