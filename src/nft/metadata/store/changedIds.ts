import type { RpcLog } from '../../../chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../../../chain/evm/source/tokenEvents.ts'

/** Events that say that a token's metadata changed. */
export const metadataTopics = [tokenTopic.metadataUpdate, tokenTopic.batchMetadataUpdate, tokenTopic.uri]

/** Ids from `from` to `to`, both included. */
export type IdRange = { from: bigint; to: bigint }

/** Ids as the text of a nummultirange. */
export type IdSet = string

/** Half-open, so that neighbours become one. */
export function idSet(ranges: readonly IdRange[]): IdSet {
  return `{${ranges.map(({ from, to }) => `[${from},${to + 1n})`).join()}}`
}

/** What events of one block name of one collection. */
export type ChangedIds = {
  /** At most `mostNamed`. */
  named: Set<bigint>
  /** All others. */
  ranges: IdRange[]
}

/** Most ids of a collection that one block makes due by itself; of more the tokens that exist are looked for by a sweep. */
const mostNamed = 1_000n

/** Adds the ids that an event names. */
export function addChangedIds(ids: ChangedIds, { from, to }: IdRange): void {
  const count = to - from + 1n
  if (BigInt(ids.named.size) + count > mostNamed) ids.ranges.push({ from, to })
  else for (let id = from; id <= to; id++) ids.named.add(id)
}

/** The ids that an event names; undefined where it is another event, broken or names none. Indexed or not. */
export function readChangedIds({ topics, data }: RpcLog): IdRange | undefined {
  const [first, indexed] = topics
  if (first === tokenTopic.uri) return indexed ? one(indexed) : undefined
  if (first !== tokenTopic.metadataUpdate && first !== tokenTopic.batchMetadataUpdate) return undefined
  const words = [...topics.slice(1), ...(data.slice(2).match(/.{64}/g) ?? []).slice(0, 2).map((word) => `0x${word}`)]
  if (first === tokenTopic.metadataUpdate) return words[0] ? one(words[0]) : undefined
  if (!words[0] || !words[1]) return undefined
  const range = { from: BigInt(words[0]), to: BigInt(words[1]) }
  return range.from <= range.to ? range : undefined
}

function one(word: string): IdRange {
  return { from: BigInt(word), to: BigInt(word) }
}
