import type { RpcLog } from '../../../chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../../../chain/evm/source/tokenEvents.ts'

/** Events that announce changed metadata of a token or the contract. */
export const metadataTopics = [
  ...[tokenTopic.metadataUpdate, tokenTopic.batchMetadataUpdate, tokenTopic.uri],
  tokenTopic.contractUriUpdated,
]

/** Ids from `from` to `to`, inclusive. */
export type IdRange = { from: bigint; to: bigint }

/** Ids as the text of a nummultirange. */
export type IdSet = string

export const noIds: IdSet = '{}'

/** Half-open ranges, so that PostgreSQL joins adjacent ones. */
export function idSet(ranges: readonly IdRange[]): IdSet {
  return `{${ranges.map(({ from, to }) => `[${from},${to + 1n})`).join()}}`
}

/** Token ids of one collection in events of one block. */
export type ChangedIds = {
  /** At most `mostNamed` ids. */
  named: Set<bigint>
  /** All other ids. */
  ranges: IdRange[]
}

/** Most ids of a collection that one block makes due individually. For further ids, a sweep finds the existing ones. */
const mostNamed = 1_000n

/** Adds the ids of an event. */
export function addChangedIds(ids: ChangedIds, { from, to }: IdRange): void {
  const count = to - from + 1n
  if (BigInt(ids.named.size) + count > mostNamed) ids.ranges.push({ from, to })
  else for (let id = from; id <= to; id++) ids.named.add(id)
}

/** The ids of an event, indexed or not; undefined for another event, a malformed one, and one without an id. */
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
