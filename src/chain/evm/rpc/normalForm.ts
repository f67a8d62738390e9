import { type Address, type Hex, quantity } from '../../../util/hex.ts'

// Nodes write one value in several ways. Everything behind these functions sees one of them: lower case, no leading zeros, empty data as 0x.

const lowerHash = /^0x[0-9a-f]{64}$/
const lowerAddress = /^0x[0-9a-f]{40}$/
const lowerData = /^0x(?:[0-9a-f]{2})*$/
/** Minimal, and exact in a double. */
const shortQuantity = /^0x(?:0|[1-9a-f][0-9a-f]{0,12})$/
/** Below 2^63, as tables hold no larger number. */
const anyQuantity = /^0x0*([1-9a-f][0-9a-f]{0,14}|[1-7][0-9a-f]{15})?$/

/** 32 bytes; undefined for anything else. */
export function hash32Of(value: unknown): Hex | undefined {
  return matching(value, lowerHash)
}

/** 20 bytes; undefined for anything else. */
export function addressOf(value: unknown): Address | undefined {
  return matching(value, lowerAddress)
}

/** Bytes of any number. Some nodes write no bytes as "", null or 0x0. Undefined for anything else. */
export function dataOf(value: unknown): Hex | undefined {
  if (value === null || value === '' || value === '0x0') return '0x'
  return matching(value, lowerData)
}

/** Whether what `eth_getCode` gave is code. Some nodes write none as 0x0. */
export function isCode(value: unknown): boolean {
  return (dataOf(value) ?? '0x') !== '0x'
}

/** A number below 2^63 without leading zeros. Some nodes give a JSON number. Undefined for anything else. */
export function quantityOf(value: unknown): Hex | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? quantity(value) : undefined
  if (typeof value !== 'string') return undefined
  if (shortQuantity.test(value)) return value as Hex
  const match = value.length > 2 ? anyQuantity.exec(value.toLowerCase()) : null
  return match ? `0x${match[1] ?? '0'}` : undefined
}

function matching(value: unknown, form: RegExp): Hex | undefined {
  if (typeof value !== 'string') return undefined
  if (form.test(value)) return value as Hex
  const lower = value.toLowerCase()
  return form.test(lower) ? (lower as Hex) : undefined
}
