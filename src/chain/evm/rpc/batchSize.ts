/** Calls that a node accepts in one HTTP request: halves when it rejects a batch, doubles after a time without a rejection. */
export type BatchSize = {
  size(): number
  /** `never`: the node reports that it accepts no batches. */
  rejected(length: number, never: boolean): void
}

const growAfterMs = 600_000

export function createBatchSize(options: { max: number }): BatchSize {
  let size = options.max
  let changedAt = performance.now()
  return {
    size() {
      if (size < options.max && performance.now() - changedAt > growAfterMs) {
        size = Math.min(options.max, size * 2)
        changedAt = performance.now()
      }
      return size
    },
    rejected(length, never) {
      size = Math.min(size, never ? 1 : Math.max(1, Math.floor(length / 2)))
      changedAt = performance.now()
    },
  }
}
