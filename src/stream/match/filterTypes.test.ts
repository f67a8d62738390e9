import fc from 'fast-check'
import {
  type AbiEvent,
  type AbiParameter,
  checksumAddress,
  decodeEventLog,
  encodeAbiParameters,
  type Hex,
  keccak256,
  stringToBytes,
  toEventSelector,
} from 'viem'
import { expect, test } from 'vitest'
import { logOf, passes } from '../../../test/stream/filterLog.ts'

/** A value of an event as viem has it, except that tuples are lists. */
type Value = bigint | boolean | string | Value[]
type Param = { name: string; type: string; components?: readonly Param[] | undefined }

const partsOf = ({ components }: Param): readonly Param[] => components ?? []
const itemOf = (param: Param): Param => ({ ...param, type: param.type.replace(/\[\d*\]$/, '') })
const lengthOf = ({ type }: Param): number | undefined => Number(/\[(\d+)\]$/.exec(type)?.[1]) || undefined
const isList = ({ type }: Param): boolean => type.endsWith(']')
const isTuple = ({ type }: Param): boolean => type === 'tuple'
const isNumber = ({ type }: Param): boolean => /^u?int\d+$/.test(type)
const bitsOf = ({ type }: Param): number => Number(/\d+/.exec(type)?.[0])
const minOf = (param: Param): bigint => (param.type.startsWith('u') ? 0n : -(2n ** BigInt(bitsOf(param) - 1)))
const maxOf = (param: Param): bigint => 2n ** BigInt(bitsOf(param) - (param.type.startsWith('u') ? 0 : 1)) - 1n
const isText = ({ type }: Param): boolean => type === 'string' || type === 'bytes'

const wholeBytes = fc.integer({ min: 1, max: 32 })
const wordType = fc.oneof(
  wholeBytes.map((bytes) => `uint${bytes * 8}`),
  wholeBytes.map((bytes) => `int${bytes * 8}`),
  wholeBytes.map((bytes) => `bytes${bytes}`),
  fc.constantFrom('address', 'bool', 'uint256'),
)

function paramOf(depth: number): fc.Arbitrary<Omit<Param, 'name'>> {
  const simple = fc
    .oneof({ weight: 3, arbitrary: wordType }, fc.constantFrom('string', 'bytes'))
    .map((type) => ({ type }))
  if (depth === 0) return simple
  const inner = paramOf(depth - 1)
  const list = fc
    .tuple(inner, fc.constantFrom('', '', '1', '2', '3'))
    .map(([item, length]) => ({ ...item, type: `${item.type}[${length}]` }))
  const tuple = fc.tuple(fc.array(inner, { minLength: 1, maxLength: 3 }), fc.boolean()).map(([parts, named]) => ({
    type: 'tuple',
    components: parts.map((part, i) => ({ ...part, name: named ? `p${i}` : '' })),
  }))
  return fc.oneof({ weight: 2, arbitrary: simple }, list, tuple)
}

/** Returns values of the type, often its minimum or maximum. */
function valueFor(param: Param): fc.Arbitrary<Value> {
  if (isList(param)) {
    const length = lengthOf(param)
    return fc.array(valueFor(itemOf(param)), { minLength: length ?? 0, maxLength: length ?? 3 })
  }
  if (isTuple(param)) return fc.tuple(...partsOf(param).map(valueFor))
  const [min, max] = isNumber(param) ? [minOf(param), maxOf(param)] : [0n, 0n]
  if (isNumber(param)) return fc.oneof(fc.constantFrom(min, max, 0n, max / 2n), fc.bigInt({ min, max }))
  if (param.type === 'bool') return fc.boolean()
  if (param.type === 'string') return fc.string({ unit: 'grapheme', maxLength: 70 })
  const size = param.type === 'address' ? 20 : bitsOf(param)
  const bytes = param.type === 'bytes' ? { maxLength: 70 } : { minLength: size, maxLength: size }
  const some = fc.uint8Array(bytes).map((given): string => `0x${Buffer.from(given).toString('hex')}`)
  if (param.type === 'bytes') return some
  return fc.oneof(fc.constantFrom(`0x${'00'.repeat(size)}`, `0x${'ff'.repeat(size)}`), some)
}

/** Returns the ways in which clients may write a value in a filter. */
function spelled(param: Param, value: Value): fc.Arbitrary<unknown> {
  if (isList(param) || isTuple(param)) {
    const members = isTuple(param) ? partsOf(param) : (value as Value[]).map(() => itemOf(param))
    const list = fc.tuple(...(value as Value[]).map((item, i) => spelled(members[i]!, item)))
    const named = isTuple(param) && members.every(({ name }) => name !== '')
    const shown = named
      ? fc.oneof(
          list,
          list.map((items) => Object.fromEntries(items.map((item, i) => [members[i]!.name, item]))),
        )
      : list
    return fc.oneof(
      shown,
      shown.map((given) => JSON.stringify(given)),
    )
  }
  if (typeof value === 'bigint') {
    const small = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
    return fc.constantFrom<unknown>(
      String(value),
      ...(value >= 0n ? [`0x${value.toString(16)}`] : []),
      ...(small ? [Number(value)] : []),
    )
  }
  if (typeof value === 'boolean') return fc.constantFrom<unknown>(value, String(value))
  if (param.type === 'string') return fc.constant(value)
  const upper = `0x${(value as string).slice(2).toUpperCase()}`
  const mixed = param.type === 'address' ? [checksumAddress(value as Hex)] : []
  return fc.constantFrom<unknown>(value, upper, ...mixed)
}

/** Returns a value in the form that viem encodes. */
function forViem(param: Param, value: Value): unknown {
  if (isList(param)) return (value as Value[]).map((item) => forViem(itemOf(param), item))
  if (!isTuple(param)) return value
  const parts = partsOf(param)
  const items = (value as Value[]).map((item, i) => forViem(parts[i]!, item))
  if (parts.some(({ name }) => name === '')) return items
  return Object.fromEntries(items.map((item, i) => [parts[i]!.name, item]))
}

/** Returns a decoded value of viem as text. Equal values have equal texts. */
function plain(param: Param, value: unknown): unknown {
  if (isList(param)) return (value as unknown[]).map((item) => plain(itemOf(param), item))
  if (isTuple(param))
    return partsOf(param).map((part, i) =>
      plain(part, Array.isArray(value) ? value[i] : (value as Record<string, unknown>)[part.name]),
    )
  if (typeof value === 'bigint') return String(value)
  // viem returns integers of up to 48 bits as numbers.
  if (typeof value === 'number') return String(value)
  return param.type === 'string' || typeof value === 'boolean' ? value : String(value).toLowerCase()
}

type Given = { param: Param; indexed: boolean; value: Value; wanted: Value; other: Value; written: unknown[] }

const given = (name: string): fc.Arbitrary<Given> =>
  fc.tuple(paramOf(2), fc.boolean()).chain(([type, wantsIndex]) => {
    const param: Param = { ...type, name }
    const indexed = wantsIndex && !isList(param) && !isTuple(param)
    return fc
      .tuple(valueFor(param), valueFor(param), valueFor(param), fc.boolean())
      .chain(([value, different, other, same]) => {
        const wanted = same ? value : different
        return fc
          .tuple(spelled(param, wanted), spelled(param, other))
          .map((written) => ({ param, indexed, value, wanted, other, written }))
      })
  })

const givenEvent = fc
  .tuple(...['a', 'b', 'c', 'd', 'e'].map(given))
  .chain((all) => fc.integer({ min: 1, max: all.length }).map((count) => all.slice(0, count)))

function topicOf({ param, value }: Given): Hex {
  if (!isText(param)) return encodeAbiParameters([param as AbiParameter], [value])
  return keccak256(param.type === 'string' ? stringToBytes(value as string) : (value as Hex))
}

test('behavior: filters compare every argument by its type, wherever it is in the event', () => {
  fc.assert(
    fc.property(givenEvent, (all) => {
      let topics = 0
      const args = all.map((one) => ({ ...one, indexed: one.indexed && topics++ < 3 }))
      const event = {
        type: 'event',
        name: 'Happened',
        inputs: args.map(({ param, indexed }) => ({ ...param, indexed })),
      } as unknown as AbiEvent
      const inData = args.filter(({ indexed }) => !indexed)
      const data = encodeAbiParameters(
        inData.map(({ param }) => param as AbiParameter),
        inData.map(({ param, value }) => forViem(param, value)),
      )
      const log = logOf([toEventSelector(event), ...args.filter(({ indexed }) => indexed).map(topicOf)], data)
      const decoded = decodeEventLog({ abi: [event], data, topics: log.topics as [Hex, ...Hex[]] }) as unknown as {
        args: Record<string, unknown>
      }
      for (const { param, indexed, value, wanted, other, written } of args) {
        // A topic contains only the hash of a text.
        const found = indexed && isText(param) ? plain(param, value) : plain(param, decoded.args[param.name])
        const same = (one: Value) => JSON.stringify(plain(param, one)) === JSON.stringify(found)
        const [text, otherText] = written
        const matches = (operator: string, operand: unknown) =>
          passes(event, log, { [operator]: [param.name, operand] })
        expect([param, 'eq', text, matches('eq', text)]).toEqual([param, 'eq', text, same(wanted)])
        expect([param, 'ne', text, matches('ne', text)]).toEqual([param, 'ne', text, !same(wanted)])
        const either = same(wanted) || same(other)
        expect([param, 'in', written, matches('in', written)]).toEqual([param, 'in', written, either])
        expect([param, 'nin', written, matches('nin', written)]).toEqual([param, 'nin', written, !either])
        expect([param, 'in', otherText, matches('in', [otherText])]).toEqual([param, 'in', otherText, same(other)])
        const sizes = ['lt', 'lte', 'gt', 'gte']
        if (isNumber(param)) {
          const [left, right] = [BigInt(found as string), wanted as bigint]
          const expected = [left < right, left <= right, left > right, left >= right]
          expect([param, text, sizes.map((size) => matches(size, text))]).toEqual([param, text, expected])
        } else
          for (const size of sizes)
            expect(() => matches(size, text)).toThrow(/compares the size of an argument that is not a number/)
      }
    }),
    { numRuns: 300 },
  )
})
