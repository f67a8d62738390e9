import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { Hex } from '../../util/hex.ts'
import type { StreamDefinition, StreamFilter } from '../streamDefinition.ts'
import { compileFilter, type LogTest } from './compileFilter.ts'
import type { EventShape } from './eventShape.ts'
import { fault } from './filterValue.ts'
import { createNamedEvents } from './namedEvents.ts'

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
  const events = createNamedEvents(definition.abi)
  const hasAbi = definition.abi.length > 0
  const topics = new Set<Hex>()
  const rules = new Map<Hex, Rule[]>()
  for (const [i, text] of definition.topic0.entries()) {
    const forms = events.find(text, `topic0[${i}]`, hasAbi)
    for (const [topic, shapes] of forms) {
      topics.add(topic)
      rules.set(topic, plainRules(shapes))
    }
  }
  const advanced = new Map<Hex, Rule[]>()
  for (const [i, option] of definition.advancedOptions.entries()) {
    const at = `advancedOptions[${i}]`
    const forms = events.find(option.topic0, `${at}.topic0`, false)
    if (topics.size > 0 && !forms.keys().some((topic) => topics.has(topic)))
      throw fault(`${at}.topic0`, `is ${option.topic0}, which topic0 does not name; allowed: one of topic0`)
    const filter = option.filter && Object.keys(option.filter).length > 0 ? option.filter : undefined
    if (filter && forms.values().every((shapes) => shapes.length === 0))
      throw fault(`${at}.filter`, `needs the event ${option.topic0} in abi; allowed: an abi that has it, or no filter`)
    for (const [topic, shapes] of forms) {
      const withTx = option.includeNativeTxs === true
      const own = filter
        ? filteredRules(shapes, { filter, chainId: options.chainId, at: `${at}.filter` })
        : plainRules(shapes)
      advanced.set(topic, [...(advanced.get(topic) ?? []), ...own.map((rule) => ({ ...rule, withTx }))])
    }
  }
  // What an advanced option says of an event is all that is said of it.
  for (const [topic, own] of advanced) rules.set(topic, own)
  const { id, partition, chainId, tag, fromBlock } = options
  const abi = JSON.stringify(definition.abi)
  return { id, partition, chainId, tag, abi, definition, fromBlock, rules, anyEvent: topics.size === 0 }
}

function plainRules(shapes: readonly EventShape[]): Rule[] {
  if (shapes.length === 0)
    return [{ topics: undefined, addressTopics: anyAddressTopic, test: undefined, withTx: false }]
  return shapes.map(({ topics, addressTopics }) => ({ topics, addressTopics, test: undefined, withTx: false }))
}

/** One rule for each form that the filter fits. Throws BadRequestError where it fits none. */
function filteredRules(
  forms: readonly EventShape[],
  { filter, chainId, at }: { filter: StreamFilter; chainId: bigint; at: string },
): Rule[] {
  const chain = `0x${chainId.toString(16)}`
  const rules: Rule[] = []
  let refusal: unknown
  for (const shape of forms)
    try {
      const test = compileFilter({ filter, shape, forms, chainId: chain, at })
      rules.push({ topics: shape.topics, addressTopics: shape.addressTopics, test, withTx: false })
    } catch (error) {
      refusal ??= error
    }
  if (rules.length === 0 && refusal !== undefined) throw refusal
  return rules
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
