import type { Address } from '../../util/hex.ts'
import type { CompiledStream } from './compileStream.ts'

/**
 * The streams of a chain by what they watch. An address costs one entry of a hash map (some 100 bytes: 1,000,000 addresses
 * take 110 MB), and a list only where several streams watch it.
 */
export type StreamIndex = {
  /** By slot; undefined where a stream left. */
  readonly slots: readonly (CompiledStream | undefined)[]
  /** Slots of streams that watch every address. */
  readonly all: ReadonlySet<number>
  /** Slots that watch an address: one number, or several. */
  watching(address: string): number | readonly number[] | undefined
  /** The slot of a stream. */
  find(streamId: string): number | undefined
  /** Adds a stream, or puts another definition in its place; its addresses stay. */
  put(stream: CompiledStream): number
  /** Takes a stream and its addresses out. */
  remove(streamId: string): void
  watch(slot: number, addresses: Iterable<Address>): void
  unwatch(slot: number, addresses: Iterable<Address>): void
  /** Addresses watched by any stream. */
  size(): number
}

export function createStreamIndex(): StreamIndex {
  const slots: (CompiledStream | undefined)[] = []
  const free: number[] = []
  const byId = new Map<string, number>()
  const all = new Set<number>()
  const watchers = new Map<string, number | number[]>()

  function unwatch(slot: number, address: string): void {
    const known = watchers.get(address)
    if (known === slot) watchers.delete(address)
    else if (typeof known === 'object') {
      const rest = known.filter((other) => other !== slot)
      if (rest.length === 1) watchers.set(address, rest[0]!)
      else watchers.set(address, rest)
    }
  }

  return {
    slots,
    all,
    watching: (address) => watchers.get(address),
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
      for (const address of watchers.keys()) unwatch(slot, address)
      byId.delete(streamId)
      all.delete(slot)
      slots[slot] = undefined
      free.push(slot)
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
