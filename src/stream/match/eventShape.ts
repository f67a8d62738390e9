import type { AbiEvent } from 'viem'
import type { Hex } from '../../util/hex.ts'
import { keccak256 } from '../../util/keccak256.ts'
import { type AbiType, abiTypeOf } from './abiType.ts'
import { canonicalType, isEventName, signatureText } from './eventSignature.ts'

/** Position of an event's argument in its logs. */
export type Argument = {
  name: string
  type: AbiType
  indexed: boolean
  /** Index of the topic, or of the hex digit in the data at which its value or offset begins. */
  at: number
}

/** An event of an ABI with the shape of its logs. */
export type EventShape = {
  event: AbiEvent
  topic0: Hex
  /** Number of topics of its logs, including topic0. */
  topics: number
  arguments: readonly Argument[]
  /** Bit i: topic i is an address. */
  addressTopics: number
}

/** The matchable events of an ABI. Other items, anonymous and malformed events are omitted. */
export function eventShapes(abi: readonly unknown[]): EventShape[] {
  return abi.flatMap((item) => {
    const event = eventOf(item)
    const shape = event && !event.anonymous ? shapeOf(event) : undefined
    return shape ? [shape] : []
  })
}

/** The same event under another name, with another topic0. */
export function renamed(shape: EventShape, name: string): EventShape {
  return shapeOf({ ...shape.event, name }) ?? shape
}

/** Names of the anonymous events of an ABI, whose logs have no topic0. */
export function anonymousNames(abi: readonly unknown[]): string[] {
  return abi.flatMap((item) => {
    const event = eventOf(item)
    return event?.anonymous ? [event.name] : []
  })
}

type Input = AbiEvent['inputs'][number]

/** An item of an ABI as an event with canonical types; undefined if it is not an event. */
function eventOf(item: unknown): AbiEvent | undefined {
  const { type, name, inputs, anonymous } = (item ?? {}) as Record<string, unknown>
  if (type !== 'event' || typeof name !== 'string' || !Array.isArray(inputs)) return undefined
  const canonical = inputs.map(canonicalInput)
  if (canonical.includes(undefined)) return undefined
  return { type, name: name.trim(), inputs: canonical as Input[], anonymous: anonymous === true }
}

function canonicalInput(input: unknown): Input | undefined {
  const { type, name, indexed, components } = (input ?? {}) as Record<string, unknown>
  if (typeof type !== 'string') return undefined
  const rest = { name: typeof name === 'string' ? name : '', indexed: indexed === true }
  const tuple = /^\s*tuple((?:\[\d*\])*)\s*$/.exec(type)
  if (!tuple) {
    const canonical = canonicalType(type)
    return canonical === undefined ? undefined : { ...rest, type: canonical }
  }
  if (!Array.isArray(components)) return undefined
  const parts = components.map(canonicalInput)
  return parts.includes(undefined) ? undefined : { ...rest, type: `tuple${tuple[1]}`, components: parts as Input[] }
}

function shapeOf(event: AbiEvent): EventShape | undefined {
  const types = event.inputs.map(abiTypeOf)
  const topic0 = selectorOf(event.name, types)
  if (topic0 === undefined) return undefined
  let topic = 1
  let word = 0
  let addressTopics = 0
  const args = event.inputs.map(({ name = '', indexed = false }, i): Argument => {
    const type = types[i]!
    if (indexed) {
      if (type.kind === 'address') addressTopics |= 1 << topic
      return { name, type, indexed, at: topic++ }
    }
    const at = word * 64 + 2
    word += type.words
    return { name, type, indexed, at }
  })
  return { event, topic0, topics: topic, arguments: args, addressTopics }
}

/** The topic0 of an event; undefined for an invalid event name. */
function selectorOf(name: string, types: readonly AbiType[]): Hex | undefined {
  if (!isEventName(name)) return undefined
  return keccak256(signatureText({ name, types: types.map(({ text }) => text) }))
}
