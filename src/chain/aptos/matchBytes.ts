import type protobuf from 'protobufjs'

/** Whether the text of `length` bytes at the reader's position matches, without creating a string. */
export type MatchBytes = (reader: protobuf.Reader, length: number) => boolean

/** Matches texts that begin with one of `prefixes`. Their common part is compared once: few texts have even that. */
export function matchPrefixes(prefixes: readonly string[]): MatchBytes {
  const wanted = prefixes.map((prefix) => Buffer.from(prefix))
  const shortest = wanted.reduce((least, { length }) => Math.min(least, length), Number.POSITIVE_INFINITY)
  let common = 0
  while (common < shortest && wanted.every((prefix) => prefix[common] === wanted[0]![common])) common += 1
  return ({ buf, pos, len }, length) => {
    if (length < shortest || pos + length > len || !isAt(buf, pos, wanted[0]!, 0, common)) return false
    for (const prefix of wanted)
      if (length >= prefix.length && isAt(buf, pos, prefix, common, prefix.length)) return true
    return false
  }
}

/** Matches `text`; nothing if it is undefined. */
export function matchText(text: string | undefined): MatchBytes {
  if (text === undefined) return () => false
  const wanted = Buffer.from(text)
  return ({ buf, pos }, length) => length === wanted.length && isAt(buf, pos, wanted, 0, length)
}

function isAt(bytes: Uint8Array, at: number, wanted: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[at + i] !== wanted[i]) return false
  return true
}
