import type protobuf from 'protobufjs'

/** Whether the text at a position begins with one of `prefixes`, without making a string of it. */
export function matchPrefixes(prefixes: readonly string[]): (reader: protobuf.Reader, at: number) => boolean {
  const wanted = prefixes.map((prefix) => Buffer.from(prefix))
  return ({ buf, len }, at) => {
    const { start, length } = spanAt(buf, at)
    if (start + length > len) return false
    return wanted.some((prefix) => length >= prefix.length && isAt(buf, start, prefix))
  }
}

/** Whether the text at a position is `text`. */
export function matchText(text: string | undefined): (reader: protobuf.Reader, at: number) => boolean {
  if (text === undefined) return () => false
  const wanted = Buffer.from(text)
  return ({ buf }, at) => {
    const { start, length } = spanAt(buf, at)
    return length === wanted.length && isAt(buf, start, wanted)
  }
}

function isAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false
  return true
}

/** The text whose length stands at `at`. */
function spanAt(bytes: Uint8Array, at: number): { start: number; length: number } {
  let length = 0
  let start = at
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[start++]!
    length += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) break
  }
  return { start, length }
}
