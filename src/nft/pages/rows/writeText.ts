import { positionsPerBlock } from '../../transfers/position.ts'

// Writes parts of JSON into memory byte by byte, in a fifth of the time of concatenating and encoding strings. `at` is the start of a part; each
// function returns its end.

/** PostgreSQL's binary numeric begins with number of digits, weight of the first digit, sign and scale, 16 bits each. */
const headLength = 8
/** Decimal digits per digit of a numeric. */
const groupDigits = 4

const hexDigits = constant('0123456789abcdef')
const openAddress = constant('"0x')
const zero = '0'.charCodeAt(0)
const quote = '"'.charCodeAt(0)

export function constant(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text))
}

export function write(to: Buffer, at: number, text: Uint8Array): number {
  for (let i = 0; i < text.length; i++) to[at + i] = text[i]!
  return at + text.length
}

export function writeHex(to: Buffer, start: number, bytes: Buffer, from: number, end: number): number {
  let at = start
  for (let i = from; i < end; i++) {
    const byte = bytes[i]!
    to[at++] = hexDigits[byte >> 4]!
    to[at++] = hexDigits[byte & 15]!
  }
  return at
}

/** Bytes as JSON text with 0x. */
export function writeQuotedHex(to: Buffer, at: number, bytes: Buffer, from: number, end: number): number {
  const last = writeHex(to, write(to, at, openAddress), bytes, from, end)
  to[last] = quote
  return last + 1
}

/** A non-negative integer. */
export function writeNumber(to: Buffer, start: number, number: number): number {
  let digits = 1
  for (let least = 10; least <= number; least *= 10) digits++
  let rest = number
  for (let at = start + digits - 1; at >= start; at--) {
    const next = Math.floor(rest / 10)
    to[at] = zero + rest - 10 * next
    rest = next
  }
  return start + digits
}

/** A non-negative integral numeric from PostgreSQL. */
export function writeNumeric(to: Buffer, start: number, bytes: Buffer, from: number): number {
  const given = int16(bytes, from)
  const groups = groupsOf(bytes, from)
  let at = writeNumber(to, start, given === 0 ? 0 : int16(bytes, from + headLength))
  for (let group = 1; group < groups; group++) {
    let rest = group < given ? int16(bytes, from + headLength + 2 * group) : 0
    for (let digit = groupDigits - 1; digit >= 0; digit--) {
      to[at + digit] = zero + (rest % 10)
      rest = (rest / 10) | 0
    }
    at += groupDigits
  }
  return at
}

/** Space for the digits of a numeric. */
export function numericBytes(bytes: Buffer, from: number): number {
  return groupDigits * groupsOf(bytes, from)
}

/** End of a numeric. */
export function numericEnd(bytes: Buffer, from: number): number {
  return from + headLength + 2 * int16(bytes, from)
}

/** Digits of a numeric before the point: weights are below 2^15, and trailing zeros are omitted. */
function groupsOf(bytes: Buffer, from: number): number {
  return int16(bytes, from) === 0 ? 1 : int16(bytes, from + 2) + 1
}

/** The block of a position, which exceeds the precision of a number. */
export function blockAt(bytes: Buffer, from: number): number {
  const [high, low] = [bytes.readUInt32BE(from), bytes.readUInt32BE(from + 4)]
  return high * (2 ** 32 / positionsPerBlock) + Math.floor(low / positionsPerBlock)
}

/** The index of a position's log in its block. */
export function logIndexAt(bytes: Buffer, from: number): number {
  return bytes.readUInt32BE(from + 4) % positionsPerBlock
}

function int16(bytes: Buffer, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!
}
