import { type Address, type Hex, quantity } from '../../../util/hex.ts'

// Nodes write one value in several ways. These functions return one form: lower case, no leading zeros, empty data as 0x.

/** 1 for the code of each digit of lower-case hex. */
const digits = new Uint8Array(128)
for (const digit of '0123456789abcdef') digits[digit.charCodeAt(0)] = 1

/** Minimal, and exact in a double. */
const shortQuantity = /^0x(?:0|[1-9a-f][0-9a-f]{0,12})$/
/** Below 2^63, as tables cannot store a larger number. */
const anyQuantity = /^0x0*([1-9a-f][0-9a-f]{0,14}|[1-7][0-9a-f]{15})?$/

/** 32 bytes; undefined for anything else. */
export function hash32Of(value: unknown): Hex | undefined {
  return hexOf(value, 66)
}

/** 20 bytes; undefined for anything else. */
export function addressOf(value: unknown): Address | undefined {
  return hexOf(value, 42)
}

/** Bytes of any length. Some nodes write empty data as "", null or 0x0. Undefined for anything else. */
export function dataOf(value: unknown): Hex | undefined {
  if (value === null || value === '' || value === '0x0') return '0x'
  return typeof value === 'string' && value.length % 2 === 0 ? hexOf(value, value.length) : undefined
}

/** Whether a result of `eth_getCode` is code. Some nodes write no code as 0x0. */
export function isCode(value: unknown): boolean {
  return (dataOf(value) ?? '0x') !== '0x'
}

/** A number below 2^63 without leading zeros. Some nodes return a JSON number. Undefined for anything else. */
export function quantityOf(value: unknown): Hex | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? quantity(value) : undefined
  if (typeof value !== 'string') return undefined
  if (shortQuantity.test(value)) return value as Hex
  const match = value.length > 2 ? anyQuantity.exec(value.toLowerCase()) : null
  return match ? `0x${match[1] ?? '0'}` : undefined
}

/** Hex with a 0x prefix, of this total length, in lower case; undefined for anything else. */
function hexOf(value: unknown, length: number): Hex | undefined {
  if (typeof value !== 'string' || value.length !== length) return undefined
  if (isLowerHex(value)) return value
  const lower = value.toLowerCase()
  return isLowerHex(lower) ? lower : undefined
}

/** Takes a third of the time of a regular expression. */
function isLowerHex(text: string): text is Hex {
  if (!text.startsWith('0x')) return false
  for (let i = 2; i < text.length; i++) if (digits[text.charCodeAt(i)] !== 1) return false
  return true
}
