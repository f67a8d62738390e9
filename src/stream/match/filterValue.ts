import { BadRequestError } from '../../util/errors.ts'

/**
 * Parses a value of a filter into its comparable form. Throws BadRequestError with the path `at` for a value that the
 * argument can never have.
 */
export type ParseValue<T extends bigint | string = bigint | string> = (value: unknown, at: string) => T

/** Parses numbers that fit into this many bits; with decimals, the scaled integer. */
export function toNumber(options: {
  bits: number
  signed: boolean
  decimals?: number
  text?: string
}): ParseValue<bigint> {
  const { bits, signed, decimals = 0 } = options
  const min = signed ? -(2n ** BigInt(bits - 1)) : 0n
  const max = 2n ** BigInt(signed ? bits - 1 : bits) - 1n
  const type = options.text ?? `${signed ? '' : 'u'}int${bits}`
  return (value, at) => {
    const number = decimals > 0 ? inUnits(value, decimals) : wholeNumber(value)
    if (number === undefined)
      throw fault(
        at,
        decimals > 0
          ? `has a value that is no ${type}; allowed: a number as text, with at most ${decimals} decimals`
          : 'has a value that is not a whole number; allowed: decimal digits as text',
      )
    if (number < min || number > max)
      throw fault(
        at,
        `has the value ${String(value)}, which no ${type} can be; allowed: ${min} to ${max}${decimals > 0 ? `, each divided by 10^${decimals}` : ''}`,
      )
    return number
  }
}

function wholeNumber(value: unknown): bigint | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value)) return BigInt(value)
  return undefined
}

function inUnits(value: unknown, decimals: number): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const [, sign, whole, part = ''] = /^(-?)(\d{1,78})(?:\.(\d{1,80}))?$/.exec(String(value)) ?? []
  if (whole === undefined || part.length > decimals) return undefined
  return BigInt(`${sign}${whole}${part.padEnd(decimals, '0')}`)
}

export const toAddress: ParseValue<string> = (value, at) => {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/i.test(value)) return value.toLowerCase()
  throw fault(at, 'has a value that is not an address; allowed: 0x and 40 hex digits')
}

export const toTruth: ParseValue<bigint> = (value, at) => {
  if (value === true || value === 'true') return 1n
  if (value === false || value === 'false') return 0n
  throw fault(at, 'has a value that is not a boolean; allowed: true or false')
}

/** Parses exactly `size` bytes in hex. */
export function toFixedBytes(size: number): ParseValue<string> {
  return (value, at) => {
    const bytes = toBytes(value, at)
    const given = bytes.length / 2 - 1
    if (given !== size)
      throw fault(
        at,
        `has a value of ${given} bytes, which no bytes${size} can be; allowed: 0x and ${size * 2} hex digits`,
      )
    return bytes
  }
}

export const toBytes: ParseValue<string> = (value, at) => {
  if (typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value)) return value.toLowerCase()
  throw fault(at, 'has a value that is not hex; allowed: 0x and hex digits')
}

export const toText: ParseValue<string> = (value, at) => {
  if (typeof value === 'string') return value
  throw fault(at, 'has a value that is not text; allowed: text')
}

/** A 400 with the path in the stream's definition. */
export function fault(at: string, what: string): BadRequestError {
  return new BadRequestError(`${at} ${what}`, { details: { parameter: at } })
}
