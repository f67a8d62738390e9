import type { Hex } from '../../util/hex.ts'
import { keccak256 } from '../../util/keccak256.ts'
import { anonymousNames, type EventShape, eventShapes, renamed } from './eventShape.ts'
import { parseSignature, signatureText } from './eventSignature.ts'
import { fault } from './filterValue.ts'

/** A log has at most four topics, including topic0. */
const maxTopics = 4

/** Finds a stream's events in its ABI. */
export type NamedEvents = {
  /**
   * Finds the event of a signature (with or without `event`, names, `indexed` and blanks) or of a hash: its forms in
   * the ABI by topic0. An event that the ABI spells with other capitals is found under both spellings, as published
   * examples mix them. Throws BadRequestError for an invalid event, an event without logs, or, if `needed`, an event
   * that is not in the ABI.
   */
  find(text: string, at: string, needed: boolean): Map<Hex, readonly EventShape[]>
}

export function createNamedEvents(abi: readonly unknown[]): NamedEvents {
  const shapes = eventShapes(abi)
  const byTopic = Map.groupBy(shapes, ({ topic0 }) => topic0)
  const anonymous = new Set(anonymousNames(abi))

  const byName = Map.groupBy(shapes, ({ event }) => event.name.toLowerCase())
  let byFirstLetter: Map<Hex, [other: EventShape, shape: EventShape][]> | undefined

  /** The forms of an event with another spelling in the ABI: each in the requested spelling, and in the ABI's. */
  function spelledOtherwise(topic: Hex, name: string | undefined): Map<Hex, EventShape[]> {
    if (name === undefined) {
      byFirstLetter ??= Map.groupBy(shapes.map(otherFirstLetter), ([{ topic0 }]) => topic0)
      return formsOf(byFirstLetter.get(topic) ?? [])
    }
    const spelled = (byName.get(name.toLowerCase()) ?? []).map((shape) => [renamed(shape, name), shape] as const)
    return formsOf(spelled.filter(([{ topic0 }]) => topic0 === topic))
  }

  return {
    find(text, at, needed) {
      const { topic, name, isAnonymous } = topicOf(text, at)
      const exact = byTopic.get(topic)
      const found = exact ? new Map([[topic, exact]]) : spelledOtherwise(topic, name)
      if (isAnonymous || (found.size === 0 && name !== undefined && anonymous.has(name)))
        throw fault(
          at,
          `is ${JSON.stringify(text)}, which is anonymous: its logs have no topic0; allowed: other events`,
        )
      if (needed && found.size === 0)
        throw fault(at, `is ${JSON.stringify(text)}, which is not an event of abi; allowed: one of its events`)
      const oversized = [...found.values()].flat().find(({ topics }) => topics > maxTopics)
      if (oversized)
        throw fault(
          at,
          `is ${oversized.event.name} with ${oversized.topics - 1} indexed arguments in abi; allowed: at most three`,
        )
      return found.size === 0 ? new Map([[topic, []]]) : found
    },
  }
}

function formsOf(pairs: readonly (readonly [EventShape, EventShape])[]): Map<Hex, EventShape[]> {
  return Map.groupBy(pairs.flat(), ({ topic0 }) => topic0)
}

/** The event with the case of its first letter changed: a hash shows no name, so only this spelling is tried. */
function otherFirstLetter(shape: EventShape): [EventShape, EventShape] {
  const { name } = shape.event
  const [first = '', ...rest] = name
  const other = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()
  return [renamed(shape, other + rest.join('')), shape]
}

function topicOf(text: string, at: string): { topic: Hex; name?: string; isAnonymous: boolean } {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return { topic: text.toLowerCase() as Hex, isAnonymous: false }
  const signature = parseSignature(text)
  if (!signature)
    throw fault(at, `is ${JSON.stringify(text)}, which is not an event; allowed: Name(type,type,…) or a hash`)
  const topic = keccak256(signatureText(signature))
  return { topic, name: signature.name, isAnonymous: signature.anonymous }
}
