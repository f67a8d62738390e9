import { BadRequestError } from '../../errors.ts'
import { hexToBuffer } from '../../util/hex.ts'
import { keccak256 } from '../../util/keccak256.ts'

/**
 * Reads a value of a filter into the form in which it is compared. Throws BadRequestError, which names the place `at`, for a value
 * that the argument can never have.
 */
export type ParseValue = (value: unknown, at: string) => bigint | string

/** Reads whole numbers that an integer of so many bits can hold. */
export function toNumber(options: { bits: number; signed: boolean }): ParseValue {
  const { bits, signed } = options
  const min = signed ? -(2n ** BigInt(bits - 1)) : 0n
  const max = 2n ** BigInt(signed ? bits - 1 : bits) - 1n
  const type = `${signed ? '' : 'u'}int${bits}`
  return (value, at) => {
    const number = wholeNumber(value)
    if (number === undefined) throw fault(at, 'has a value that is no whole number; allowed: decimal digits as text')
    if (number < min || number > max)
      throw fault(at, `has the value ${number}, which no ${type} can be; allowed: ${min} to ${max}`)
    return number
  }
}

function wholeNumber(value: unknown): bigint | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value)) return BigInt(value)
  return undefined
}

export const toAddress: ParseValue = (value, at) => {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/i.test(value)) return value.toLowerCase()
  throw fault(at, 'has a value that is no address; allowed: 0x and 40 hex digits')
}

export const toTruth: ParseValue = (value, at) => {
  if (value === true || value === 'true') return 1n
  if (value === false || value === 'false') return 0n
  throw fault(at, 'has a value that is no boolean; allowed: true or false')
}

/** Reads exactly `size` bytes in hex. */
export function toFixedBytes(size: number): ParseValue {
  return (value, at) => {
    const bytes = toBytes(value, at) as string
    const given = bytes.length / 2 - 1
    if (given !== size)
      throw fault(
        at,
        `has a value of ${given} bytes, which no bytes${size} can be; allowed: 0x and ${size * 2} hex digits`,
      )
    return bytes
  }
}

export const toBytes: ParseValue = (value, at) => {
  if (typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value)) return value.toLowerCase()
  throw fault(at, 'has a value that is no hex; allowed: 0x and hex digits')
}

export const toText: ParseValue = (value, at) => {
  if (typeof value === 'string') return value
  throw fault(at, 'has a value that is no text; allowed: text')
}

/** Reads a text that is indexed: its topic holds the hash of the text. A filter may give the text or the hash. */
export const toTextHash: ParseValue = (value, at) => {
  const text = toText(value, at) as string
  return /^0x[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : keccak256(text)
}

export const toBytesHash: ParseValue = (value, at) => {
  const bytes = toBytes(value, at) as string
  return bytes.length === 66 ? bytes : keccak256(hexToBuffer(bytes))
}

/** A 400 that names the place in the stream's definition. */
export function fault(at: string, what: string): BadRequestError {
  return new BadRequestError(`${at} ${what}`, { details: { parameter: at } })
}
