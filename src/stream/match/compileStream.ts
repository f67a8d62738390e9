import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { Hex } from '../../util/hex.ts'
import { quantity } from '../../util/hex.ts'
import type { StreamDefinition, StreamFilter } from '../streamDefinition.ts'
import { compileFilter, type LogTest } from './compileFilter.ts'
import type { EventShape } from './eventShape.ts'
import { fault } from './filterValue.ts'
import { createNamedEvents } from './namedEvents.ts'

/** Result of matching a log: no match, the log, or the log with its transaction. */
export type Verdict = 'no' | 'log' | 'withTx'

/** A compiled stream on one chain. */
export type CompiledStream = {
  id: string
  partition: number
  chainId: bigint
  tag: string
  /** ABI as JSON, for webhooks. */
  abi: string
  definition: StreamDefinition
  /** First block that the stream matches. */
  fromBlock: bigint
  /** Rules of the stream's events, by topic0. A log matches if one of its rules does. */
  rules: ReadonlyMap<Hex, readonly Rule[]>
  /** The stream specifies no event, so every log of its addresses matches. */
  anyEvent: boolean
}

/** A rule by which a log of an event can match. */
type Rule = {
  /** Required number of topics; undefined: any, as the ABI does not have the event. */
  topics: number | undefined
  /** Bit i: topic i may contain an address of the stream. */
  addressTopics: number
  test: LogTest | undefined
  withTx: boolean
}

/** Without an ABI, each of the three topics may be an address. */
const anyAddressTopic = 0b1110

/**
 * Compiles the definition of a stream. Throws BadRequestError if its events, ABI and filters are inconsistent;
 * definitions of clients are validated by it.
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
      throw fault(`${at}.topic0`, `is ${option.topic0}, which topic0 does not contain; allowed: one of topic0`)
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
  // Advanced options of an event replace its simple rules.
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

/** A rule for each form that the filter fits. Throws BadRequestError if it fits none. */
function filteredRules(
  forms: readonly EventShape[],
  { filter, chainId, at }: { filter: StreamFilter; chainId: bigint; at: string },
): Rule[] {
  const chain = quantity(chainId)
  const rules: Rule[] = []
  let rejection: unknown
  for (const shape of forms)
    try {
      const test = compileFilter({ filter, shape, forms, chainId: chain, at })
      rules.push({ topics: shape.topics, addressTopics: shape.addressTopics, test, withTx: false })
    } catch (error) {
      rejection ??= error
    }
  if (rules.length === 0 && rejection !== undefined) throw rejection
  return rules
}

/**
 * Matches a log with a stream. `places`: bit 0 is set if the stream watches the log's emitter, bit i if it watches the
 * address in topic i.
 */
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
