import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { AbiType } from './abiType.ts'
import { encode, encodedText, hashOf } from './encodedValue.ts'
import type { Argument, EventShape } from './eventShape.ts'
import { fault, type ParseValue, toAddress, toBytes, toFixedBytes, toNumber, toTruth } from './filterValue.ts'
import { readEncoded } from './readEncoded.ts'

/** Whether a log passes a filter. The log has the topics of the filter's event. */
export type LogTest = (log: RpcLog) => boolean

/** A comparable value: numbers as bigint, everything else as text, addresses and bytes in lower case. */
type Value = bigint | string | undefined
type Read = (log: RpcLog) => Value
type Field = {
  read: Read
  parse: ParseValue
  numeric: boolean
  /** Alternative parser of a filter's value; undefined if it has no second meaning. */
  parseAlso?: (value: unknown) => Value
}

/** Deepest level of a filter's tree. */
const deepest = 16

/**
 * Compiles a filter, a tree over the arguments of one event. Only compared arguments are read from the log. A
 * comparison with an argument of another form of the event is false: an ERC-20 Transfer has no `tokenId`. Throws
 * BadRequestError with the path, such as `advancedOptions[0].filter.and[1].gt`.
 */
export function compileFilter(options: {
  filter: unknown
  shape: EventShape
  /** All forms of the event in the ABI. They have the same topic0, and differ in names or indexed arguments. */
  forms?: readonly EventShape[]
  /** In hex, as sent by clients. */
  chainId: string
  /** Path of the filter in the definition, for errors. */
  at: string
}): LogTest {
  const { shape, forms = [], chainId } = options
  return compile(options.filter, options.at, 0)

  function compile(node: unknown, at: string, depth: number): LogTest {
    if (depth > deepest) throw fault(at, `is nested too deep; allowed: at most ${deepest} levels`)
    if (typeof node !== 'object' || node === null || Array.isArray(node))
      throw fault(at, 'is not an object; allowed: one operator with its operand, such as {"eq": ["name", "value"]}')
    const entries = Object.entries(node)
    const [entry] = entries
    if (!entry || entries.length !== 1) throw fault(at, `has ${entries.length} operators; allowed: one`)
    const [operator, operand] = entry
    const here = `${at}.${operator}`
    if (operator === 'and' || operator === 'or') {
      if (!Array.isArray(operand) || operand.length < 2)
        throw fault(here, 'is not a list of two parts at least; allowed: two filters or more')
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
      throw fault(here, 'is not [name, value]; allowed: the name of an argument and the value to compare it with')
    return comparison(fieldOf(operand[0], here), operand[1], here)
  }

  function fieldOf(name: string, at: string): Field {
    if (name === 'moralis_streams_contract_address')
      return { read: (log) => log.address, parse: toAddress, numeric: false }
    if (name === 'moralis_streams_chain_id')
      return { read: () => BigInt(chainId), parse: toNumber({ bits: 256, signed: false }), numeric: true }
    const own = argumentField(shape, name)
    if (own) return own
    for (const form of forms) {
      const other = argumentField(form, name)
      if (other) return { ...other, read: () => undefined }
    }
    const names = [shape, ...forms].flatMap((form) => form.arguments.map((known) => known.name))
    const allowed = [...new Set(names), 'moralis_streams_contract_address', 'moralis_streams_chain_id']
    const why =
      name === 'moralis_streams_possibleSpam'
        ? `uses ${name}, which this server does not support in filters, as it detects spam only in indexed NFT collections`
        : `uses ${name.slice(0, 80)}, which is not an argument of ${shape.event.name}`
    throw fault(at, `${why}; allowed: ${allowed.filter((known) => known !== '').join(', ')}`)
  }
}

function argumentField(shape: EventShape, name: string): Field | undefined {
  const argument = shape.arguments.find((known) => known.name === name)
  return argument && fieldOfArgument(argument)
}

const comparisons: Record<string, (field: Field, value: unknown, at: string) => LogTest> = {
  eq: (field, value, at) => isAny(field, [value], at),
  ne: (field, value, at) => isNone(field, [value], at),
  lt: ordered((a, b) => a < b),
  gt: ordered((a, b) => a > b),
  lte: ordered((a, b) => a <= b),
  gte: ordered((a, b) => a >= b),
  in: (field, value, at) => {
    const list = listOf(value, at)
    if (list.length === 0) throw fault(at, 'has an empty list, which matches nothing; allowed: [name, [value, …]]')
    return isAny(field, list, at)
  },
  nin: (field, value, at) => isNone(field, listOf(value, at), at),
}

function isAny(field: Field, values: readonly unknown[], at: string): LogTest {
  const { read } = field
  const wanted = wantedOf(field, values, at)
  const [only] = wanted
  if (wanted.size === 1) return (log) => read(log) === only
  return (log) => wanted.has(read(log)!)
}

function isNone(field: Field, values: readonly unknown[], at: string): LogTest {
  const { read } = field
  const wanted = wantedOf(field, values, at)
  return (log) => {
    const found = read(log)
    return found !== undefined && !wanted.has(found)
  }
}

function wantedOf({ parse, parseAlso }: Field, values: readonly unknown[], at: string): Set<bigint | string> {
  const wanted = new Set<bigint | string>()
  for (const value of values) {
    const other = parseAlso?.(value)
    if (other !== undefined) wanted.add(other)
    wanted.add(parse(value, at))
  }
  return wanted
}

function ordered(holds: (a: bigint, b: bigint) => boolean) {
  return ({ read, parse, numeric }: Field, value: unknown, at: string): LogTest => {
    if (!numeric) throw fault(at, 'compares the size of an argument that is not a number; allowed: eq, ne, in or nin')
    const bound = parse(value, at) as bigint
    return (log) => {
      const found = read(log)
      return typeof found === 'bigint' && holds(found, bound)
    }
  }
}

function listOf(value: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(value)) throw fault(at, 'has no list as its value; allowed: [name, [value, …]]')
  return value
}

function fieldOfArgument({ type, indexed, at }: Argument): Field {
  const word = indexed
    ? (log: RpcLog) => log.topics[at]?.slice(2)
    : (log: RpcLog) => (log.data.length >= at + 64 ? log.data.slice(at, at + 64) : undefined)
  switch (type.kind) {
    case 'number': {
      const { bits } = type
      const cut = type.signed ? BigInt.asIntN : BigInt.asUintN
      const read = (log: RpcLog) => {
        const raw = toUnsigned(word(log))
        return raw === undefined ? undefined : cut(bits, raw)
      }
      return { read, parse: toNumber(type), numeric: true }
    }
    case 'address':
      return { read: (log) => prefixed(word(log)?.slice(24)), parse: toAddress, numeric: false }
    case 'bool':
      return { read: (log) => toBit(word(log)), parse: toTruth, numeric: false }
    case 'fixedBytes': {
      const { size } = type
      return { read: (log) => prefixed(word(log)?.slice(0, size * 2)), parse: toFixedBytes(size), numeric: false }
    }
    default:
      return indexed ? hashField(type, at) : encodedField(type, at)
  }
}

/** A data argument other than a single word. */
function encodedField(type: AbiType, at: number): Field {
  return {
    read: (log) => readEncoded(type, log.data, at),
    parse: (value, place) => encodedText(encode(type, value, place)),
    numeric: false,
  }
}

/**
 * An indexed argument other than a single word: its topic is a hash. A filter may specify the value, the bytes of a
 * list, or the hash.
 */
function hashField(type: AbiType, at: number): Field {
  const isList = type.kind === 'array' || type.kind === 'tuple'
  return {
    read: (log) => log.topics[at],
    parse(value, place) {
      const isBytes = isList && typeof value === 'string' && value.startsWith('0x')
      return hashOf(isBytes ? toBytes(value, place).slice(2) : encode(type, value, place))
    },
    parseAlso: (value) =>
      typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value) ? value.toLowerCase() : undefined,
    numeric: false,
  }
}

function toUnsigned(digits: string | undefined): bigint | undefined {
  return digits === undefined ? undefined : BigInt(`0x${digits}`)
}

/** 1 for every word but zero, as decoders do. */
function toBit(digits: string | undefined): bigint | undefined {
  return digits === undefined ? undefined : /[^0]/.test(digits) ? 1n : 0n
}

function prefixed(digits: string | undefined): string | undefined {
  return digits === undefined ? undefined : `0x${digits}`
}
