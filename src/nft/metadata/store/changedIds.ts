import type { RpcLog } from '../../../chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../../../chain/evm/source/tokenEvents.ts'

/** Events that say that the metadata of a token or of the contract changed. */
export const metadataTopics = [
  ...[tokenTopic.metadataUpdate, tokenTopic.batchMetadataUpdate, tokenTopic.uri],
  tokenTopic.contractUriUpdated,
]

/** Ids from `from` to `to`, both included. */
export type IdRange = { from: bigint; to: bigint }

/** Ids as the text of a nummultirange. */
export type IdSet = string

/** The ranges are half-open, so that Postgres joins neighbours. */
export function idSet(ranges: readonly IdRange[]): IdSet {
  return `{${ranges.map(({ from, to }) => `[${from},${to + 1n})`).join()}}`
}

/** The token ids of one collection that events of one block name. */
export type ChangedIds = {
  /** At most `mostNamed` ids. */
  named: Set<bigint>
  /** All other ids. */
  ranges: IdRange[]
}

/** Most ids of a collection that one block makes due one by one. Of further ids a sweep finds those that exist. */
const mostNamed = 1_000n

/** Adds the ids that an event names. */
export function addChangedIds(ids: ChangedIds, { from, to }: IdRange): void {
  const count = to - from + 1n
  if (BigInt(ids.named.size) + count > mostNamed) ids.ranges.push({ from, to })
  else for (let id = from; id <= to; id++) ids.named.add(id)
}

/** The ids that an event names, indexed or not; undefined for another event, a broken one, and one without an id. */
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
