/** How many calls a node takes in one HTTP request: halves when it rejects a batch, doubles after a time without a rejection. */
export type BatchSize = {
  size(): number
  /** `never`: the node said that it takes no batches at all. */
  refused(length: number, never: boolean): void
}

const growAfterMs = 600_000

export function createBatchSize(options: { max: number; now?: () => number }): BatchSize {
  const now = options.now ?? (() => performance.now())
  let size = options.max
  let changedAt = now()
  return {
    size() {
      if (size < options.max && now() - changedAt > growAfterMs) {
        size = Math.min(options.max, size * 2)
        changedAt = now()
      }
      return size
    },
    refused(length, never) {
      size = Math.min(size, never ? 1 : Math.max(1, Math.floor(length / 2)))
      changedAt = now()
    },
  }
}
