import { unpackAddresses } from '../definition/streamAddresses.ts'
import type { StreamChain } from '../definition/streamChain.ts'
import type { StreamChange, StreamShape } from '../definition/streamChange.ts'
import { type CompiledStream, compileStream } from './compileStream.ts'
import { createStreamIndex, type StreamIndex } from './createStreamIndex.ts'
import { type Needs, needsOf } from './match.ts'

/** A stream as it stands, with the changes that led there and may have to be undone. */
export type LoadedStream = {
  place: StreamChain
  shape: StreamShape
  /** Packed. */
  addresses: Buffer | null
  /** In their order. */
  changes: readonly StreamChange[]
}

/**
 * The streams of one chain as they were at a block. A change holds from one block on; where a reorganisation, or history, goes
 * below that block, it is undone until the block is reached again. So each block is matched with exactly what held for it.
 */
export type ChainStreams = {
  index: StreamIndex
  has(streamId: string): boolean
  size(): number
  /** Adds a stream as it stands after all of its changes. */
  add(loaded: LoadedStream): void
  /** A further change of a stream that is here. */
  change(change: StreamChange): void
  remove(streamId: string): void
  /** Moves to the state that holds for a block. */
  seek(block: bigint): void
  /** Forgets how to undo what holds since `block` or earlier. */
  settle(block: bigint): void
  /** What has to be read of blocks, whichever of the known states holds for them. */
  needs(): Needs
  /** Streams that want what happens inside of transactions, in any known state. */
  tracing(): string[]
  clear(): void
}

type Entry = { place: StreamChain; slot: number; recent: StreamChange[]; applied: number }

export function createChainStreams({ chainId }: { chainId: bigint }): ChainStreams {
  const chain = String(chainId)
  let index = createStreamIndex()
  const entries = new Map<string, Entry>()
  /** Those with changes that can still be undone or are still to come. */
  const changing = new Set<Entry>()
  let needs: Needs | undefined

  function compile(place: StreamChain, shape: StreamShape): CompiledStream {
    const { partition, streamId: id, fromBlock } = place
    const watching = shape.active && shape.chainIds.includes(chain)
    const definition = watching ? shape.definition : { ...shape.definition, ...nothing }
    return compileStream({ id, partition, chainId, tag: shape.tag, definition, fromBlock })
  }

  function move(entry: Entry, shape: StreamShape | null, watch: Buffer | null, unwatch: Buffer | null): void {
    if (shape) index.put(compile(entry.place, shape))
    index.watch(entry.slot, unpackAddresses(watch))
    index.unwatch(entry.slot, unpackAddresses(unwatch))
  }

  function* shapesOf(entry: Entry): Generator<CompiledStream> {
    yield index.slots[entry.slot]!
    for (const { before, after } of entry.recent)
      for (const shape of [before, after]) if (shape) yield compile(entry.place, shape)
  }

  return {
    get index() {
      return index
    },
    has: (streamId) => entries.has(streamId),
    size: () => entries.size,
    add({ place, shape, addresses, changes }) {
      const slot = index.put(compile(place, shape))
      index.watch(slot, unpackAddresses(addresses))
      const entry: Entry = { place, slot, recent: [...changes], applied: changes.length }
      entries.set(place.streamId, entry)
      if (changes.length > 0) changing.add(entry)
      needs = undefined
    },
    change(change) {
      const entry = entries.get(change.streamId)
      if (!entry) return
      entry.recent.push(change)
      changing.add(entry)
      needs = undefined
    },
    remove(streamId) {
      const entry = entries.get(streamId)
      if (!entry) return
      index.remove(streamId)
      entries.delete(streamId)
      changing.delete(entry)
      needs = undefined
    },
    seek(block) {
      for (const entry of changing) {
        const { recent } = entry
        for (; entry.applied > 0 && recent[entry.applied - 1]!.effective > block; entry.applied--) {
          const { before, added, removed } = recent[entry.applied - 1]!
          move(entry, before, removed, added)
        }
        for (; entry.applied < recent.length && recent[entry.applied]!.effective <= block; entry.applied++) {
          const { after, added, removed } = recent[entry.applied]!
          move(entry, after, added, removed)
        }
      }
    },
    settle(block) {
      for (const entry of changing) {
        let settled = 0
        while (settled < entry.applied && entry.recent[settled]!.effective <= block) settled++
        if (settled === 0) continue
        entry.recent.splice(0, settled)
        entry.applied -= settled
        if (entry.recent.length === 0) changing.delete(entry)
        needs = undefined
      }
    },
    needs() {
      needs ??= needsOf([...index.slots, ...[...changing].flatMap((entry) => [...shapesOf(entry)])])
      return needs
    },
    tracing() {
      return [...entries]
        .filter(([, entry]) => [...shapesOf(entry)].some(({ definition }) => definition.includeInternalTxs))
        .map(([streamId]) => streamId)
    },
    clear() {
      index = createStreamIndex()
      entries.clear()
      changing.clear()
      needs = undefined
    },
  }
}

const nothing = {
  allAddresses: false,
  includeNativeTxs: false,
  includeContractLogs: false,
  includeInternalTxs: false,
  includeAllTxLogs: false,
}
