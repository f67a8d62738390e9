/** Provides buffers for large rows, and reuses them once they are returned. */
export type RowMemory = {
  /** A buffer of that many bytes, not cleared. */
  take(size: number): Buffer
  /** `part`: any part of a taken buffer; other buffers are ignored. */
  giveBack(part: Buffer): void
}

/** Node allocates smaller buffers from its own slab, which takes no new memory outside of V8's heap. */
const smallest = 4_096
/** Larger ones are rare and never kept. */
const largest = 1_048_576
/** Most bytes kept while no row uses them, in total. */
const mostKept = 16_777_216

/** Sizes are powers of two, so that rows of similar size share buffers. */
export function createRowMemory(): RowMemory {
  const free = new Map<number, Buffer[]>()
  /** Weak, so that buffers which are never returned are garbage-collected. */
  const out = new WeakMap<ArrayBufferLike, Buffer>()
  let kept = 0

  return {
    take(size) {
      if (size < smallest || size > largest) return Buffer.allocUnsafe(size)
      const capacity = 2 ** Math.ceil(Math.log2(size))
      let whole = free.get(capacity)?.pop()
      if (whole) kept -= capacity
      else whole = Buffer.allocUnsafeSlow(capacity)
      out.set(whole.buffer, whole)
      return whole.subarray(0, size)
    },
    giveBack({ buffer }) {
      const whole = out.get(buffer)
      if (!whole) return
      out.delete(buffer)
      if (kept + whole.length > mostKept) return
      kept += whole.length
      const same = free.get(whole.length)
      if (same) same.push(whole)
      else free.set(whole.length, [whole])
    },
  }
}
