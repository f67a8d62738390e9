import { unpackAddresses } from '../definition/streamAddresses.ts'
import type { StreamChain } from '../definition/streamChain.ts'
import type { StreamChange, StreamShape } from '../definition/streamChange.ts'
import { type CompiledStream, compileStream } from '../match/compileStream.ts'
import { createStreamIndex, type StreamIndex } from '../match/createStreamIndex.ts'
import { type Needs, needsOf } from '../match/match.ts'

/** The current state of a stream, with changes that may have to be undone. */
export type LoadedStream = {
  place: StreamChain
  shape: StreamShape
  /** Packed by `packAddresses`. */
  addresses: Buffer | null
  /** In the order of `seq`. */
  changes: readonly StreamChange[]
}

/**
 * The streams of one chain at a block. A change applies from its effective block. If a reorg or history goes below that
 * block, the change is undone until the block is reached again. So each block is matched with the definitions and
 * addresses that apply to it.
 */
export type ChainStreams = {
  index: StreamIndex
  has(streamId: string): boolean
  size(): number
  /** Adds a stream with all its changes applied. */
  add(loaded: LoadedStream): void
  /** Adds a change of a known stream; ignored for others. */
  change(change: StreamChange): void
  remove(streamId: string): void
  /** Moves all streams to the state that applies to a block. */
  seek(block: bigint): void
  /** Drops the undo data of changes that apply from `block` or earlier. */
  settle(block: bigint): void
  /** The parts of blocks that matching needs, in any known state of the streams. */
  needs(): Needs
  /** Ids of streams that need a part of blocks, in any known state. */
  needing(part: keyof Needs): string[]
  /** Streams that cannot be compiled, with their error: they match nothing. `pauseFaulty` pauses and removes them. */
  faults: Map<string, unknown>
  /** Makes a stream match nothing until it changes. */
  mute(streamId: string): void
  clear(): void
}

type Entry = { place: StreamChain; slot: number; recent: StreamChange[]; applied: number }

export function createChainStreams({ chainId }: { chainId: bigint }): ChainStreams {
  const chain = String(chainId)
  let index = createStreamIndex()
  const entries = new Map<string, Entry>()
  /** Streams with changes that can still be undone, or do not apply yet. */
  const changing = new Set<Entry>()
  const faults = new Map<string, unknown>()
  const muted = new Set<string>()
  let needs: Needs | undefined

  /**
   * A stream that was stored under older rules or by hand may not compile. It then matches nothing, and the others
   * continue.
   */
  function compile(place: StreamChain, shape: StreamShape, onFault?: (error: unknown) => void): CompiledStream {
    const { partition, streamId: id, fromBlock } = place
    const stream = { id, partition, chainId, tag: shape.tag, fromBlock }
    if (shape.active && shape.chainIds.includes(chain) && !muted.has(id))
      try {
        return compileStream({ ...stream, definition: shape.definition })
      } catch (error) {
        onFault?.(error)
      }
    return compileStream({ ...stream, definition: { ...shape.definition, ...nothing } })
  }

  /** Compiles the current shape of a stream. Only its errors are kept, as its owner can fix only these. */
  function compileLast(place: StreamChain, shape: StreamShape): CompiledStream {
    return compile(place, shape, (error) => faults.set(place.streamId, error))
  }

  function move(
    entry: Entry,
    compiled: CompiledStream | undefined,
    watch: Buffer | null,
    unwatch: Buffer | null,
  ): void {
    if (compiled) index.put(compiled)
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
      const slot = index.put(compileLast(place, shape))
      index.watch(slot, unpackAddresses(addresses))
      const entry: Entry = { place, slot, recent: [...changes], applied: changes.length }
      entries.set(place.streamId, entry)
      if (changes.length > 0) changing.add(entry)
      needs = undefined
    },
    change(change) {
      const entry = entries.get(change.streamId)
      if (!entry) return
      muted.delete(change.streamId)
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
      muted.delete(streamId)
      faults.delete(streamId)
      needs = undefined
    },
    seek(block) {
      for (const entry of changing) {
        const { place, recent } = entry
        const last = recent.findLastIndex(({ after }) => after !== null)
        for (; entry.applied > 0 && recent[entry.applied - 1]!.effective > block; entry.applied--) {
          const { before, added, removed } = recent[entry.applied - 1]!
          move(entry, before ? compile(place, before) : undefined, removed, added)
        }
        for (; entry.applied < recent.length && recent[entry.applied]!.effective <= block; entry.applied++) {
          const { after, added, removed } = recent[entry.applied]!
          const compileAfter = entry.applied === last ? compileLast : compile
          move(entry, after ? compileAfter(place, after) : undefined, added, removed)
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
    needing: (part) => [...entries].filter(([, entry]) => needsOf(shapesOf(entry))[part]).map(([streamId]) => streamId),
    faults,
    mute(streamId) {
      const entry = entries.get(streamId)
      if (!entry) return
      muted.add(streamId)
      const stream = index.slots[entry.slot]!
      index.put(compileStream({ ...stream, definition: { ...stream.definition, ...nothing } }))
      needs = undefined
    },
    clear() {
      faults.clear()
      muted.clear()
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
  topic0: [],
  abi: [],
  advancedOptions: [],
}
