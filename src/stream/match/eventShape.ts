import type { AbiEvent } from 'viem'
import type { Hex } from '../../util/hex.ts'
import { keccak256 } from '../../util/keccak256.ts'
import { canonicalType, isEventName, signatureText } from './eventSignature.ts'

/** Where an argument of an event stands in its logs. */
export type Argument = {
  name: string
  type: string
  indexed: boolean
  /** Place among the topics, or first hex digit of its word in the data (after 0x); undefined: only decoding finds it. */
  at: number | undefined
}

/** An event of an ABI as its logs have it. */
export type EventShape = {
  event: AbiEvent
  topic0: Hex
  /** Topics that its logs have, the first one included. */
  topics: number
  arguments: readonly Argument[]
  /** Bit i: topic i is an address. */
  addressTopics: number
}

/** The events of an ABI that can be matched. Items that are no event, anonymous or malformed are left out. */
export function eventShapes(abi: readonly unknown[]): EventShape[] {
  return abi.flatMap((item) => {
    const event = eventOf(item)
    const shape = event && !event.anonymous ? shapeOf(event) : undefined
    return shape ? [shape] : []
  })
}

/** The same event under another name, and so with another topic0. */
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

/** An item of an ABI as an event with canonical types; undefined where it is no event. */
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
  const topic0 = selectorOf(event)
  if (topic0 === undefined) return undefined
  let topic = 1
  let word: number | undefined = 0
  let addressTopics = 0
  const args = event.inputs.map(({ name = '', type, indexed = false }): Argument => {
    if (indexed) {
      if (type === 'address') addressTopics |= 1 << topic
      return { name, type, indexed, at: topic++ }
    }
    const at: number | undefined = word === undefined || !isWord(type) ? undefined : word * 64 + 2
    // A dynamic value leaves an offset of one word; a tuple or an array of fixed length takes as many as it holds.
    word = word === undefined || isWide(type) ? undefined : word + 1
    return { name, type, indexed, at }
  })
  return { event, topic0, topics: topic, arguments: args, addressTopics }
}

/** The topic0 of an event; undefined for a name that no contract can give an event. */
function selectorOf({ name, inputs }: AbiEvent): Hex | undefined {
  if (!isEventName(name)) return undefined
  return keccak256(signatureText({ name, types: inputs.map(typeText) }))
}

/** A type as signatures name it: a tuple by its parts, such as `(address,uint256)[]`. */
function typeText(input: Input): string {
  if (!('components' in input)) return input.type
  return `(${input.components.map(typeText).join(',')})${input.type.slice('tuple'.length)}`
}

/** Whether a value of the type fills one word. */
function isWord(type: string): boolean {
  return /^(u?int\d*|address|bool|bytes([1-9]|[12]\d|3[0-2]))$/.test(type)
}

/** Whether a value of the type may take several words in place: a tuple, or an array of fixed length. */
function isWide(type: string): boolean {
  return !isWord(type) && type !== 'string' && type !== 'bytes' && !type.endsWith('[]')
}
