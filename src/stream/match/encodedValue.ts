import { hexToBuffer } from '../../util/hex.ts'
import { keccak256 } from '../../util/keccak256.ts'
import type { AbiType } from './abiType.ts'
import { fault, toAddress, toBytes, toFixedBytes, toNumber, toText, toTruth } from './filterValue.ts'

/** A value in the encoding of logs: hex digits of a word, of bytes or of a text, or a list of members. */
export type Encoded = string | readonly Encoded[]

/**
 * Encodes a value of a filter. A list is a JSON array, a tuple is an array or an object of its components; both may be
 * JSON text. Throws BadRequestError for a value of another type.
 */
export function encode(type: AbiType, value: unknown, at: string): Encoded {
  switch (type.kind) {
    case 'number':
      return wordOf(BigInt.asUintN(256, toNumber(type)(value, at)))
    case 'bool':
      return wordOf(toTruth(value, at))
    case 'address':
      return digitsOf(toAddress(value, at)).padStart(64, '0')
    case 'fixedBytes':
      return digitsOf(toFixedBytes(type.size)(value, at)).padEnd(64, '0')
    case 'bytes':
      return digitsOf(toBytes(value, at))
    case 'string':
      return Buffer.from(toText(value, at)).toString('hex')
    case 'array': {
      const items = membersOf(value)
      if (!Array.isArray(items) || (type.length !== undefined && items.length !== type.length))
        throw fault(
          at,
          `has a value that is no ${type.text}; allowed: a list of ${type.length ?? 'any number of'} values`,
        )
      return items.map((item) => encode(type.item, item, at))
    }
    case 'tuple': {
      const given = membersOf(value)
      const names = type.parts.map(({ name }) => name)
      const items = Array.isArray(given) ? given : inOrder(given, names)
      if (items?.length !== names.length)
        throw fault(
          at,
          `has a value that is no ${type.text}; allowed: a list of ${names.length} values${isNamed(names) ? `, or an object of ${names.join(', ')}` : ''}`,
        )
      return items.map((item, i) => encode(type.parts[i]!.type, item, at))
    }
  }
}

/**
 * An encoded value as one text. For one type, equal texts mean equal values: a comma ends each member, which
 * distinguishes a list of one empty text from an empty list.
 */
export function encodedText(value: Encoded): string {
  return typeof value === 'string' ? value : `[${value.map((member) => `${encodedText(member)},`).join('')}]`
}

/** Hash of a value: the topic of an indexed argument of dynamic size. */
export function hashOf(value: Encoded): string {
  return keccak256(hexToBuffer(typeof value === 'string' ? value : inPlace(value)))
}

/** Concatenated members, without offsets and lengths; bytes and text are padded to whole words. */
function inPlace(value: Encoded): string {
  if (typeof value !== 'string') return value.map(inPlace).join('')
  return value.padEnd(Math.ceil(value.length / 64) * 64, '0')
}

function membersOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

function isNamed(names: readonly string[]): boolean {
  return names.every((name) => name !== '') && new Set(names).size === names.length
}

/** The members of an object in the order of names; undefined if it is not an object, or has other members. */
function inOrder(value: unknown, names: readonly string[]): unknown[] | undefined {
  if (typeof value !== 'object' || value === null || !isNamed(names)) return undefined
  if (Object.keys(value).length !== names.length || !names.every((name) => Object.hasOwn(value, name))) return undefined
  return names.map((name) => (value as Record<string, unknown>)[name])
}

function wordOf(number: bigint): string {
  return number.toString(16).padStart(64, '0')
}

function digitsOf(hex: string): string {
  return hex.slice(2)
}
