import { setImmediate } from 'node:timers/promises'
import type { Address } from '../../util/hex.ts'
import type { CompiledStream } from './compileStream.ts'

/**
 * The streams of a chain by watched address. Each stream has a slot, a small number. An address costs one entry of a
 * hash map (about 100 bytes: 1,000,000 addresses take 110 MB), and a list only if several streams watch it.
 */
export type StreamIndex = {
  /** Streams by slot; undefined: the slot is free. */
  readonly slots: readonly (CompiledStream | undefined)[]
  /** Slots of streams that watch every address. */
  readonly all: ReadonlySet<number>
  /** The slot or slots of the streams that watch an address. */
  watching(address: string): number | readonly number[] | undefined
  /** The slot of a stream. */
  find(streamId: string): number | undefined
  /** Adds a stream, or replaces its definition; its addresses stay. Returns its slot. */
  put(stream: CompiledStream): number
  /** Removes a stream immediately; its addresses are deleted in the background. */
  remove(streamId: string): void
  watch(slot: number, addresses: Iterable<Address>): void
  unwatch(slot: number, addresses: Iterable<Address>): void
  /** Number of watched addresses. */
  size(): number
}

/** Addresses that `remove` handles without a pause, which takes about 10 ms; a million takes half a second. */
const addressesTogether = 20_000

export function createStreamIndex(): StreamIndex {
  const slots: (CompiledStream | undefined)[] = []
  const free: number[] = []
  const byId = new Map<string, number>()
  const all = new Set<number>()
  const watchers = new Map<string, number | number[]>()
  /** Slots of removed streams to which addresses still refer. */
  const removed = new Set<number>()

  function unwatch(slot: number, address: string): void {
    const known = watchers.get(address)
    if (known === slot) watchers.delete(address)
    else if (typeof known === 'object') {
      const rest = known.filter((other) => other !== slot)
      if (rest.length === 1) watchers.set(address, rest[0]!)
      else watchers.set(address, rest)
    }
  }

  async function clear(slot: number): Promise<void> {
    let seen = 0
    for (const address of watchers.keys()) {
      unwatch(slot, address)
      if (++seen % addressesTogether === 0) await setImmediate()
    }
    removed.delete(slot)
    free.push(slot)
  }

  function staying(known: number | readonly number[] | undefined): number | readonly number[] | undefined {
    if (typeof known === 'number') return removed.has(known) ? undefined : known
    return known?.filter((slot) => !removed.has(slot))
  }

  return {
    slots,
    all,
    watching: (address) => (removed.size === 0 ? watchers.get(address) : staying(watchers.get(address))),
    find: (streamId) => byId.get(streamId),
    size: () => watchers.size,
    put(stream) {
      const slot = byId.get(stream.id) ?? free.pop() ?? slots.length
      byId.set(stream.id, slot)
      slots[slot] = stream
      if (stream.definition.allAddresses) all.add(slot)
      else all.delete(slot)
      return slot
    },
    remove(streamId) {
      const slot = byId.get(streamId)
      if (slot === undefined) return
      byId.delete(streamId)
      all.delete(slot)
      slots[slot] = undefined
      removed.add(slot)
      void clear(slot)
    },
    watch(slot, addresses) {
      for (const address of addresses) {
        const known = watchers.get(address)
        if (known === undefined) watchers.set(address, slot)
        else if (typeof known === 'number') {
          if (known !== slot) watchers.set(address, [known, slot])
        } else if (!known.includes(slot)) known.push(slot)
      }
    },
    unwatch(slot, addresses) {
      for (const address of addresses) unwatch(slot, address)
    },
  }
}
