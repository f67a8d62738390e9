import { keccak_256 } from '@noble/hashes/sha3'
import { bytesToHex } from '@noble/hashes/utils'
import { parseAbi } from 'abitype'

/** An input of an event, which a filter can compare. */
export type EventInput = { name: string; type: string; indexed: boolean }

/** A form of an event: forms have the same signature, and differ in names or in which inputs are indexed. */
export type EventForm = {
  inputs: readonly EventInput[]
  /** The item of the ABI, as a stream stores it. */
  item: Record<string, unknown>
}

/** An event of an ABI. */
export type KnownEvent = {
  /** `Transfer(address,address,uint256)` */
  signature: string
  /** Its keccak-256. */
  topic: string
  /** Of all its forms. */
  inputs: readonly EventInput[]
  /** One, or several such as those of ERC-20 and ERC-721. */
  forms: readonly EventForm[]
  /** Why the event cannot be matched; null: it can. */
  unusable: string | null
}

export type ReadAbi = {
  /** Unique events, in the order of the text. */
  events: readonly KnownEvent[]
  /** The error of the text or of some of its items; null: none. */
  fault: string | null
}

/** Maximum characters of an ABI: the largest have about 100,000. */
const longest = 1_000_000
const mostEvents = 1_000
const longestLine = 2_000
const mostStructs = 50
/** Maximum nesting of tuples. */
const deepest = 16
/** Topics of a log without topic0. */
const mostIndexed = 3

const allowed =
  'Allowed: a JSON ABI, a JSON file that has one as abi, or lines such as event Transfer(address indexed from, address indexed to, uint256 value)'

/** The events of a pasted ABI: JSON, a compiler's file, or Solidity declarations. Never throws. */
export function readAbi(text: string): ReadAbi {
  const trimmed = text.trim()
  if (trimmed === '') return { events: [], fault: null }
  if (trimmed.length > longest) return rejected(`The text has more than ${longest} characters. ${allowed}.`)
  return /^[[{"]/.test(trimmed) ? readJson(trimmed) : readLines(trimmed)
}

function rejected(fault: string): ReadAbi {
  return { events: [], fault }
}

function readJson(text: string): ReadAbi {
  let items: unknown[] | undefined
  try {
    items = itemsIn(JSON.parse(text), 0)
  } catch (error) {
    return rejected(`This is not JSON: ${(error as Error).message.slice(0, 200)}. ${allowed}.`)
  }
  if (!items) return rejected(`This JSON has no list of ABI items. ${allowed}.`)
  const named = items.filter((item) => (item as { type?: unknown } | null)?.type === 'event')
  const events = named.map(eventOf)
  return reported(events, events.length === 0 ? 'This ABI has no event.' : null)
}

/** The list in a JSON ABI, a compiler's file, or an explorer's response, which contains it as text. */
function itemsIn(json: unknown, depth: number): unknown[] | undefined {
  if (Array.isArray(json)) return json
  if (depth > 2) return undefined
  if (typeof json === 'string') return itemsIn(JSON.parse(json), depth + 1)
  if (typeof json !== 'object' || json === null) return undefined
  const { abi, result, output, type } = json as Record<string, unknown>
  if (type === 'event') return [json]
  const inner = abi ?? result ?? output
  return inner === undefined ? undefined : itemsIn(inner, depth + 1)
}

function readLines(text: string): ReadAbi {
  const structs: string[] = []
  const rest = text.replaceAll(/struct [^{}]{1,256}\{[^{}]{1,2000}\}/g, (struct) => {
    structs.push(struct.replaceAll(/\s+/g, ' '))
    return '\n'
  })
  const lines = rest.split(/[\n;]/).map((line) => line.trim().replaceAll(/\s+/g, ' '))
  const named = lines.filter((line) => line.startsWith('event '))
  if (named.length === 0) return rejected(`No line begins with event. ${allowed}.`)
  if (named.length > mostEvents) return rejected(`The text has more than ${mostEvents} events. ${allowed}.`)
  return reported(
    named.map((line) => lineEvent(line, structs.slice(0, mostStructs))),
    null,
  )
}

function lineEvent(line: string, structs: readonly string[]): KnownEvent | undefined {
  if (line.length > longestLine) return undefined
  const [, signature, anonymous] = /^(.*\)) ?(anonymous)?$/.exec(line) ?? []
  if (signature === undefined) return undefined
  try {
    const [item] = parseAbi([...structs, signature]) as unknown as Record<string, unknown>[]
    return eventOf({ ...item, ...(anonymous && { anonymous: true }) })
  } catch {
    return undefined
  }
}

/** `undefined` among `events`: a malformed item. */
function reported(events: readonly (KnownEvent | undefined)[], fault: string | null): ReadAbi {
  const once = new Map<string, KnownEvent>()
  for (const event of events) {
    const id = JSON.stringify([event?.signature, event?.inputs, event?.unusable])
    if (event && !once.has(id)) once.set(id, event)
  }
  const unique = Map.groupBy(once.values(), ({ signature, unusable }) => JSON.stringify([signature, unusable]))
  const malformed = events.filter((event) => !event).length
  const shown = [...unique.values()].slice(0, mostEvents).map(combined)
  const faults = [
    fault,
    malformed > 0 ? `${malformed} of the events ${malformed === 1 ? 'is' : 'are'} malformed and omitted.` : null,
    unique.size > mostEvents ? `Only the first ${mostEvents} events are shown.` : null,
  ].filter((one) => one !== null)
  return { events: shown, fault: faults.length > 0 ? faults.join(' ') : null }
}

function combined(same: readonly KnownEvent[]): KnownEvent {
  return { ...same[0]!, inputs: same.flatMap(({ inputs }) => inputs), forms: same.flatMap(({ forms }) => forms) }
}

function eventOf(item: unknown): KnownEvent | undefined {
  const { name, inputs, anonymous } = (item ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' || !/^[A-Za-z_$][\w$]{0,255}$/.test(name) || !Array.isArray(inputs)) return undefined
  const types = inputs.map((input) => typeOf(input, 0))
  if (types.includes(undefined)) return undefined
  const signature = `${name}(${types.join(',')})`
  const read = inputs.map(
    (input: Record<string, unknown>, i): EventInput => ({
      name: typeof input.name === 'string' ? input.name : '',
      type: types[i]!,
      indexed: input.indexed === true,
    }),
  )
  const indexed = read.filter((input) => input.indexed).length
  return {
    signature,
    topic: hashOf(signature),
    inputs: read,
    forms: [{ inputs: read, item: item as Record<string, unknown> }],
    unusable:
      anonymous === true
        ? 'it is anonymous, so its logs have no topic0'
        : indexed > mostIndexed
          ? `it has ${indexed} indexed inputs, and a log can have only ${mostIndexed}`
          : null,
  }
}

/** The type as in signatures, a tuple by its parts; undefined: invalid. */
function typeOf(input: unknown, depth: number): string | undefined {
  const { type, components } = (input ?? {}) as Record<string, unknown>
  if (typeof type !== 'string' || type.length > 256 || depth > deepest) return undefined
  if (!type.startsWith('tuple')) {
    // Old compilers wrote short names.
    const full = type
      .replaceAll(' ', '')
      .replace(/^u?int(?=\[|$)/, '$&256')
      .replace(/^byte(?=\[|$)/, 'bytes1')
      .replace(/^u?fixed(?=\[|$)/, '$&128x18')
    return /^[a-z]+[\dx]*(?:\[\d*\])*$/.test(full) ? full : undefined
  }
  const suffix = type.slice('tuple'.length)
  if (!Array.isArray(components) || !/^(?:\[\d*\])*$/.test(suffix)) return undefined
  const parts = components.map((part) => typeOf(part, depth + 1))
  return parts.includes(undefined) ? undefined : `(${parts.join(',')})${suffix}`
}

/**
 * Finds the event that a stream's topic0 specifies, in the spellings that the server accepts (`namedEvents.ts`): a
 * hash, or a signature with names, `indexed`, blanks and other capitals in the name. undefined: not in the ABI, or
 * the text has `byte`, `fixed` or a reserved word as a name.
 */
export function findEvent(events: readonly KnownEvent[], topic0: string): KnownEvent | undefined {
  const topic = topicOf(topic0)
  const signature = signatureOf(topic0).toLowerCase()
  const spelledOtherwise = (event: KnownEvent) =>
    // A hash shows no name, so only another first letter is tried.
    isHash(topic0) ? hashOf(otherFirstLetter(event.signature)) === topic : event.signature.toLowerCase() === signature
  const usable = events.filter(({ unusable }) => unusable === null)
  return usable.find((event) => event.topic === topic) ?? usable.find(spelledOtherwise)
}

/** The topic0 of an event, given its signature or this hash itself. */
export function topicOf(text: string): string {
  return isHash(text) ? text.toLowerCase() : hashOf(signatureOf(text))
}

function isHash(text: string): boolean {
  return /^0x[0-9a-f]{64}$/i.test(text)
}

/** A signature as it is hashed: with full types, without names and blanks. Other texts stay unchanged. */
function signatureOf(text: string): string {
  const line = text
    .trim()
    .replace(/^event\s/, '')
    .replace(/;$/, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[(),[\]])/g, '')
    .replaceAll(/(?<=[(,[]) /g, '')
    .replaceAll(/\btuple\(/g, '(')
  return lineEvent(`event ${line.trim()}`, [])?.signature ?? text
}

function otherFirstLetter(signature: string): string {
  const first = signature.charAt(0)
  return (first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()) + signature.slice(1)
}

function hashOf(signature: string): string {
  return `0x${bytesToHex(keccak_256(new TextEncoder().encode(signature)))}`
}
