import type { BlockRange } from './blockRange.ts'

export type BackfillOptions<Batch> = {
  /** The missing ranges, ascending. */
  gaps: readonly BlockRange[]
  /** Ranges read at once, and batches in memory at most. */
  inFlight: number
  /** Width of the next read. */
  width: () => bigint
  /** Reads a range or a prefix of it that ends at `to`. */
  read: (range: BlockRange, signal: AbortSignal) => Promise<{ batch: Batch; to: bigint }>
  /**
   * Stores a batch in a transaction of its own; never called twice for a block. `turn` resolves once the commit before this one has
   * ended, and rejects where that failed. What the commit does before it awaits `turn` continues beside the commit before it; what it
   * does afterwards continues alone. So at most two commits are in progress.
   */
  commit: (range: BlockRange, batch: Batch, turn: () => Promise<void>) => Promise<void>
  /**
   * Runs the work on one range, from its reading to its commit: it may have that wait, until the signal aborts, as it does where another
   * range failed. Omitted: at once.
   */
  turn?: (work: () => Promise<boolean>, signal: AbortSignal) => Promise<boolean>
  /** True once no further read shall begin; reads in progress are finished and committed. */
  isOver: () => boolean
  signal: AbortSignal
}

/**
 * Reads the gaps in parallel and commits them one after another as they arrive, in any order. While one range is being
 * committed the next is prepared and the others are being read. The first error stops all and is thrown once every read
 * has ended.
 */
export async function backfill<Batch>(options: BackfillOptions<Batch>): Promise<void> {
  const { inFlight, width, read, commit, isOver, turn = (work) => work() } = options
  const gaps = options.gaps.map((gap) => ({ ...gap }))
  const failure = new AbortController()
  const signal = AbortSignal.any([options.signal, failure.signal])
  /** When the last commit that was requested has its turn, and when it has ended. */
  let last = { turn: Promise.resolve(), end: Promise.resolve() }

  function next(): BlockRange | undefined {
    const gap = gaps[0]
    if (!gap || signal.aborted || isOver()) return undefined
    const to = gap.from + width() - 1n
    if (to >= gap.to) return gaps.shift()
    const range = { from: gap.from, to }
    gap.from = to + 1n
    return range
  }

  /** False: no range is left to be read. */
  async function readNext(): Promise<boolean> {
    const asked = next()
    if (!asked) return false
    const { batch, to } = await read(asked, signal)
    if (to < asked.to) gaps.unshift({ from: to + 1n, to: asked.to })
    const before = last
    const end = before.turn.then(() => {
      signal.throwIfAborted()
      return commit({ from: asked.from, to }, batch, () => before.end)
    })
    last = { turn: before.end, end }
    await end
    return true
  }

  async function readRanges(): Promise<void> {
    while (await turn(readNext, signal));
  }

  const readers = Array.from({ length: inFlight }, () =>
    readRanges().catch((error: unknown) => {
      failure.abort(error)
      throw error
    }),
  )
  const outcomes = await Promise.allSettled(readers)
  options.signal.throwIfAborted()
  if (failure.signal.aborted) throw failure.signal.reason
  const rejected = outcomes.find((o) => o.status === 'rejected')
  if (rejected) throw rejected.reason
}
