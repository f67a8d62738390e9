/** Gives buffers for large rows, and uses them again once they are given back. */
export type RowMemory = {
  /** A buffer of that many bytes, with whatever it held before. */
  take(size: number): Buffer
  /** `part`: any part of a taken buffer; any other buffer changes nothing. */
  giveBack(part: Buffer): void
}

/** Smaller buffers Node cuts from a slab of its own, which takes no new memory outside of V8's heap. */
const smallest = 4_096
/** Larger ones are rare and never kept. */
const largest = 1_048_576
/** Bytes kept while no row uses them, in all. */
const mostKept = 16_777_216

/** Sizes are powers of two, so that rows of about the same size share buffers. */
export function createRowMemory(): RowMemory {
  const free = new Map<number, Buffer[]>()
  /** Weak, so that buffers which are never given back are collected as garbage. */
  const out = new WeakMap<ArrayBufferLike, Buffer>()
  let kept = 0

  return {
    take(size) {
      if (size < smallest || size > largest) return Buffer.allocUnsafe(size)
      const room = 2 ** Math.ceil(Math.log2(size))
      let whole = free.get(room)?.pop()
      if (whole) kept -= room
      else whole = Buffer.allocUnsafeSlow(room)
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
