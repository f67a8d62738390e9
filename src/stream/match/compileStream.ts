import { toEventSelector } from 'viem'
import type { RpcLog } from '../../chain/evm/rpc.ts'
import { BadRequestError } from '../../errors.ts'
import type { Hex } from '../../util/hex.ts'
import type { StreamDefinition } from '../demand.ts'
import { compileFilter, type LogTest } from './compileFilter.ts'
import { type EventShape, eventShapes } from './eventShape.ts'

/** What a stream says of a log: not its, its, or its together with the transaction. */
export type Verdict = 'no' | 'log' | 'withTx'

/** A stream on one chain, ready to be matched. */
export type CompiledStream = {
  id: string
  partition: number
  chainId: bigint
  tag: string
  /** As JSON, for webhooks. */
  abi: string
  definition: StreamDefinition
  /** First block that it holds for. */
  fromBlock: bigint
  /** Rules of the events that it names. */
  rules: ReadonlyMap<Hex, readonly Rule[]>
  /** It names no event, so that every log of its addresses is its. */
  anyEvent: boolean
}

/** One way in which a log of an event can be the stream's. */
type Rule = {
  /** Topics that the log must have; undefined: no ABI says. */
  topics: number | undefined
  /** Bit i: topic i may name an address of the stream. */
  addressTopics: number
  test: LogTest | undefined
  withTx: boolean
}

/** Without an ABI any of the three topics may be an address. */
const anyAddressTopic = 0b1110

/**
 * Compiles what a stream matches. Throws BadRequestError where its events, ABI and filters do not fit together: the check of
 * what clients send, too.
 */
export function compileStream(options: {
  id: string
  partition: number
  chainId: bigint
  tag: string
  definition: StreamDefinition
  fromBlock: bigint
}): CompiledStream {
  const { definition } = options
  const shapes = Map.groupBy(eventShapes(definition.abi), ({ topic0 }) => topic0)
  const topics = definition.topic0.map((text, i) => topicOf(text, `topic0[${i}]`))
  const hasAbi = definition.abi.length > 0
  for (const [i, topic] of topics.entries())
    if (hasAbi && !shapes.has(topic))
      throw fault(`topic0[${i}]`, `is ${definition.topic0[i]}, which is no event of abi; allowed: one of its events`)

  const rules = new Map<Hex, Rule[]>()
  for (const topic of topics) rules.set(topic, plainRules(shapes.get(topic) ?? []))
  const advanced = new Map<Hex, Rule[]>()
  for (const [i, option] of definition.advancedOptions.entries()) {
    const at = `advancedOptions[${i}]`
    const topic = topicOf(option.topic0, `${at}.topic0`)
    if (topics.length > 0 && !topics.includes(topic))
      throw fault(`${at}.topic0`, `is ${option.topic0}, which topic0 does not name; allowed: one of topic0`)
    const own = shapes.get(topic) ?? []
    const withTx = option.includeNativeTxs === true
    if (!option.filter || Object.keys(option.filter).length === 0) {
      advanced.set(topic, [...(advanced.get(topic) ?? []), ...plainRules(own).map((rule) => ({ ...rule, withTx }))])
      continue
    }
    if (own.length === 0) throw fault(`${at}.filter`, `needs the event ${option.topic0} in abi`)
    const chainId = `0x${options.chainId.toString(16)}`
    const filtered = own.map((shape) => ({
      topics: shape.topics,
      addressTopics: shape.addressTopics,
      test: compileFilter({ filter: option.filter, shape, chainId, at: `${at}.filter` }),
      withTx,
    }))
    advanced.set(topic, [...(advanced.get(topic) ?? []), ...filtered])
  }
  // What an advanced option says of an event is all that is said of it.
  for (const [topic, own] of advanced) rules.set(topic, own)
  const { id, partition, chainId, tag, fromBlock } = options
  const abi = JSON.stringify(definition.abi)
  return { id, partition, chainId, tag, abi, definition, fromBlock, rules, anyEvent: topics.length === 0 }
}

function plainRules(shapes: readonly EventShape[]): Rule[] {
  if (shapes.length === 0)
    return [{ topics: undefined, addressTopics: anyAddressTopic, test: undefined, withTx: false }]
  return shapes.map(({ topics, addressTopics }) => ({ topics, addressTopics, test: undefined, withTx: false }))
}

/** `places`: bit 0 where the emitter is an address of the stream, bit i where topic i is. */
export function judge(stream: CompiledStream, log: RpcLog, places: number): Verdict {
  const topic0 = log.topics[0]
  const rules = topic0 === undefined ? undefined : stream.rules.get(topic0)
  if (!rules) return stream.anyEvent ? 'log' : 'no'
  let verdict: Verdict = 'no'
  for (const rule of rules) {
    if (rule.topics !== undefined && rule.topics !== log.topics.length) continue
    if ((places & (1 | rule.addressTopics)) === 0) continue
    if (rule.test && !rule.test(log)) continue
    if (rule.withTx) return 'withTx'
    verdict = 'log'
  }
  return verdict
}

/** The first topic of an event, given as its signature (with or without `event`, names and `indexed`) or as the hash itself. */
function topicOf(text: string, at: string): Hex {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase() as Hex
  const signature = text.trim().replace(/^event\s+/, '')
  if (!/^[A-Za-z_$][\w$]*\s*\(.*\)$/s.test(signature))
    throw fault(at, `is ${JSON.stringify(text)}, which is no event; allowed: Name(type,type,…) or a hash`)
  try {
    return toEventSelector(`event ${signature}`)
  } catch {
    throw fault(at, `is ${JSON.stringify(text)}, which is no event; allowed: Name(type,type,…) or a hash`)
  }
}

function fault(at: string, what: string): BadRequestError {
  return new BadRequestError(`${at} ${what}`, { details: { parameter: at } })
}
