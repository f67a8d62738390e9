import { createRequire } from 'node:module'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { Hex } from '../../util/hex.ts'
import type { Argument, EventShape } from './eventShape.ts'
import {
  fault,
  type ParseValue,
  toAddress,
  toBytes,
  toBytesHash,
  toFixedBytes,
  toNumber,
  toText,
  toTextHash,
  toTruth,
} from './filterValue.ts'

/** Whether a log passes a filter. The log has the topics of the event for which the filter was compiled. */
export type LogTest = (log: RpcLog) => boolean

/** A value as it is compared: numbers as bigint, everything else as text, addresses and bytes in lower case. */
type Value = bigint | string | undefined
type Read = (log: RpcLog) => Value
type Field = { read: Read; parse: ParseValue; numeric: boolean }

/** Levels of a filter's tree. */
const deepest = 16

const require = createRequire(import.meta.url)
/** viem is loaded for the first filter that needs it: few do, and it is a quarter of the code that a server would load. */
const viem = (): typeof import('viem/utils') => require('viem/utils')

/**
 * Compiles a filter, a tree over the arguments of one event. Values that fill one word are cut out of the log; only others are
 * decoded. An argument that only other forms of the event have passes no comparison: an ERC-20 Transfer has no `tokenId`. Throws
 * BadRequestError that names the place, such as `advancedOptions[0].filter.and[1].gt`.
 */
export function compileFilter(options: {
  filter: unknown
  shape: EventShape
  /** All forms of the event in the ABI. They have one topic0, and differ in names or in which arguments are indexed. */
  forms?: readonly EventShape[]
  /** In hex, as clients write it. */
  chainId: string
  /** The place of the filter in the definition, for errors. */
  at: string
}): LogTest {
  const { shape, forms = [], chainId } = options
  return compile(options.filter, options.at, 0)

  function compile(node: unknown, at: string, depth: number): LogTest {
    if (depth > deepest) throw fault(at, `is nested too deep; allowed: at most ${deepest} levels`)
    if (typeof node !== 'object' || node === null || Array.isArray(node))
      throw fault(at, 'is no object; allowed: one operator with its operand, such as {"eq": ["name", "value"]}')
    const entries = Object.entries(node)
    const [entry] = entries
    if (!entry || entries.length !== 1) throw fault(at, `has ${entries.length} operators; allowed: one`)
    const [operator, operand] = entry
    const here = `${at}.${operator}`
    if (operator === 'and' || operator === 'or') {
      if (!Array.isArray(operand) || operand.length < 2)
        throw fault(here, 'is no list of two parts at least; allowed: two filters or more')
      const parts = operand.map((part, i) => compile(part, `${here}[${i}]`, depth + 1))
      return operator === 'and' ? (log) => parts.every((part) => part(log)) : (log) => parts.some((part) => part(log))
    }
    const comparison = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
    if (!comparison)
      throw fault(
        at,
        `has the unknown operator ${operator.slice(0, 80)}; allowed: or, and, eq, ne, lt, gt, lte, gte, in, nin`,
      )
    if (!Array.isArray(operand) || operand.length !== 2 || typeof operand[0] !== 'string')
      throw fault(here, 'is not [name, value]; allowed: the name of an argument and what it is compared with')
    return comparison(fieldOf(operand[0], here), operand[1], here)
  }

  function fieldOf(name: string, at: string): Field {
    if (name === 'moralis_streams_contract_address')
      return { read: (log) => log.address, parse: toAddress, numeric: false }
    if (name === 'moralis_streams_chain_id')
      return { read: () => BigInt(chainId), parse: toNumber({ bits: 256, signed: false }), numeric: false }
    const own = argumentField(shape, name)
    if (own) return own
    for (const form of forms) {
      const other = argumentField(form, name)
      if (other) return { ...other, read: () => undefined }
    }
    const names = [shape, ...forms].flatMap((form) => form.arguments.map((known) => known.name))
    const allowed = [...new Set(names), 'moralis_streams_contract_address', 'moralis_streams_chain_id']
    throw fault(
      at,
      `names ${name.slice(0, 80)}, which is no argument of ${shape.event.name}; allowed: ${allowed.filter((known) => known !== '').join(', ')}`,
    )
  }
}

function argumentField(shape: EventShape, name: string): Field | undefined {
  const place = shape.arguments.findIndex((argument) => argument.name === name)
  const argument = shape.arguments[place]
  return argument && fieldOfArgument(shape, argument, place)
}

const comparisons: Record<string, (field: Field, value: unknown, at: string) => LogTest> = {
  eq: ({ read, parse }, value, at) => {
    const wanted = parse(value, at)
    return (log) => read(log) === wanted
  },
  ne: ({ read, parse }, value, at) => {
    const wanted = parse(value, at)
    return (log) => {
      const found = read(log)
      return found !== undefined && found !== wanted
    }
  },
  lt: ordered((a, b) => a < b),
  gt: ordered((a, b) => a > b),
  lte: ordered((a, b) => a <= b),
  gte: ordered((a, b) => a >= b),
  in: ({ read, parse }, value, at) => {
    const wanted = listOf(value, parse, at)
    if (wanted.size === 0) throw fault(at, 'has an empty list, which nothing is in; allowed: [name, [value, …]]')
    return (log) => wanted.has(read(log)!)
  },
  nin: ({ read, parse }, value, at) => {
    const wanted = listOf(value, parse, at)
    return (log) => {
      const found = read(log)
      return found !== undefined && !wanted.has(found)
    }
  },
}

function ordered(holds: (a: bigint, b: bigint) => boolean) {
  return ({ read, parse, numeric }: Field, value: unknown, at: string): LogTest => {
    if (!numeric) throw fault(at, 'compares something that is no number by size; allowed: eq, ne, in or nin')
    const bound = parse(value, at) as bigint
    return (log) => {
      const found = read(log)
      return typeof found === 'bigint' && holds(found, bound)
    }
  }
}

function listOf(value: unknown, parse: Field['parse'], at: string): Set<bigint | string> {
  if (!Array.isArray(value)) throw fault(at, 'has no list as its value; allowed: [name, [value, …]]')
  return new Set(value.map((item) => parse(item, at)))
}

function fieldOfArgument(shape: EventShape, argument: Argument, place: number): Field {
  const { type, indexed, at } = argument
  const word: ((log: RpcLog) => string | undefined) | undefined =
    at === undefined
      ? undefined
      : indexed
        ? (log) => log.topics[at]?.slice(2)
        : (log) => (log.data.length >= at + 64 ? log.data.slice(at, at + 64) : undefined)
  const number = /^(u?)int(\d*)$/.exec(type)
  if (number && word) {
    const bits = Number(number[2] || 256)
    const read =
      number[1] === 'u'
        ? (log: RpcLog) => toUnsigned(word(log))
        : (log: RpcLog) => {
            const raw = toUnsigned(word(log))
            return raw === undefined ? undefined : BigInt.asIntN(bits, raw)
          }
    return { read, parse: toNumber({ bits, signed: number[1] !== 'u' }), numeric: true }
  }
  if (type === 'address' && word)
    return { read: (log) => prefixed(word(log)?.slice(24)), parse: toAddress, numeric: false }
  if (type === 'bool' && word) return { read: (log) => toUnsigned(word(log)), parse: toTruth, numeric: false }
  const bytes = /^bytes(\d+)$/.exec(type)
  if (bytes && word) {
    const size = Number(bytes[1])
    return { read: (log) => prefixed(word(log)?.slice(0, size * 2)), parse: toFixedBytes(size), numeric: false }
  }
  // The topic of an indexed argument without a fixed size holds its hash.
  if (indexed)
    return { read: (log) => log.topics[at!], parse: type === 'string' ? toTextHash : toBytesHash, numeric: false }
  return { read: (log) => decoded(shape, log, place), parse: type === 'bytes' ? toBytes : toText, numeric: false }
}

/** An argument that stands at no fixed place, decoded by viem; undefined where the log does not fit the event. */
function decoded(shape: EventShape, log: RpcLog, place: number): Value {
  try {
    // By place and not by name: two arguments may have one name, or none.
    const inputs = shape.event.inputs.map((input, i) => ({ ...input, name: `a${i}` }))
    const { args } = viem().decodeEventLog({
      abi: [{ ...shape.event, inputs }],
      data: log.data,
      topics: log.topics as [Hex, ...Hex[]],
    })
    const value = (args as unknown as Record<string, unknown>)[`a${place}`]
    if (typeof value === 'string') return shape.event.inputs[place]!.type === 'bytes' ? value.toLowerCase() : value
    return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part))
  } catch {
    // The data does not fit the ABI: the log passes no filter, and the receiver could not decode it either.
    return undefined
  }
}

function toUnsigned(digits: string | undefined): bigint | undefined {
  return digits === undefined ? undefined : BigInt(`0x${digits}`)
}

function prefixed(digits: string | undefined): string | undefined {
  return digits === undefined ? undefined : `0x${digits}`
}
