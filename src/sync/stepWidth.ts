/** Joins wait for the transaction of a step, so a longer one is followed by smaller steps. */
const longWriteMs = 1_000

/** A smaller step with a time in this range, relative to the one before, took mostly time that does not depend on its blocks, as on a slow cluster. */
const [least, most] = [0.75, 1.25]

export type StepWidth = {
  /** Blocks of the next step. */
  current(): bigint
  /** A step failed: smaller ones apply the blocks before an unreadable one. */
  failed(): void
  /** The blocks of a step were read, of which its transaction can have `fitting`. */
  read(fitting: number, all: number): void
  /** A step of `blocks` was written in `ms`. */
  written(blocks: number, ms: number): void
}

/** Adapts the number of blocks per step, up to `limit`. */
export function createStepWidth(limit: number): StepWidth {
  let width = limit
  /** The last write, if it was long. */
  let long: { blocks: number; ms: number } | undefined
  function set(blocks: number): void {
    width = Math.max(1, Math.min(Math.floor(blocks), limit))
  }
  return {
    current: () => BigInt(width),
    failed: () => set(width / 2),
    read: (fitting, all) => set(fitting < all ? fitting : 2 * width),
    written(blocks, ms) {
      const before = long
      long = ms > longWriteMs ? { blocks, ms } : undefined
      if (!long) return
      const ratio = before && blocks < before.blocks ? ms / before.ms : 0
      set(ratio > least && ratio < most ? 2 * blocks : blocks / 2)
    },
  }
}
