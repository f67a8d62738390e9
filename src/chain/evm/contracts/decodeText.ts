import { type Hex, hexToBuffer } from '../../../util/hex.ts'

const utf8 = new TextDecoder('utf-8')

/**
 * The text that a contract returned: an ABI string, a bytes32 padded with NULs, or an ABI string with a wrong length. Invalid UTF-8 becomes U+FFFD;
 * NUL is dropped, as Postgres rejects it. Undefined if there is no text; '' if it is empty. At most `maxLength` UTF-16 units, never half a surrogate
 * pair.
 */
export function decodeText(data: Hex, maxLength: number): string | undefined {
  const bytes = textBytes(hexToBuffer(data), maxLength * 4)
  if (!bytes) return undefined
  return cut(utf8.decode(bytes).replaceAll(/\0+/g, '').toWellFormed(), maxLength)
}

function textBytes(data: Buffer, maxBytes: number): Buffer | undefined {
  if (data.length === 32) return trimEnd(data)
  if (data.length < 64) return undefined
  const offset = toLength(data.subarray(0, 32))
  if (offset === undefined || offset < 32 || offset + 32 > data.length) return undefined
  const length = toLength(data.subarray(offset, offset + 32)) ?? Number.POSITIVE_INFINITY
  const start = offset + 32
  return data.subarray(start, start + Math.min(length, maxBytes))
}

/** A word as a number; undefined if it is more than the length of any answer. */
function toLength(word: Buffer): number | undefined {
  for (let i = 0; i < 28; i++) if (word[i] !== 0) return undefined
  return word.readUInt32BE(28)
}

function trimEnd(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return bytes.subarray(0, end)
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const last = text.charCodeAt(maxLength - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength)
}
