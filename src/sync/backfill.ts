import type { BlockRange } from './blockRange.ts'

export type BackfillOptions<Batch> = {
  /** The missing ranges, ascending. */
  gaps: readonly BlockRange[]
  /** Most ranges read in parallel, and most batches in memory. */
  inFlight: number
  /** Width of the next read. */
  width: () => bigint
  /** The first read runs alone, as its answer shows the width of the others. Default: false. */
  measures?: boolean
  /** Reads a range or a prefix of it that ends at `to`. */
  read: (range: BlockRange, signal: AbortSignal) => Promise<{ batch: Batch; to: bigint }>
  /**
   * Stores a batch in its own transaction; never called twice for a block. `afterPrevious` resolves once the previous commit has ended, and rejects if it
   * failed. Work before `afterPrevious` runs beside the previous commit, work after it runs alone. So at most two commits are in progress.
   */
  commit: (range: BlockRange, batch: Batch, afterPrevious: () => Promise<void>) => Promise<void>
  /**
   * Wraps the work on one range, from its read to its commit. It may delay the work until the signal aborts, as it does if another range fails.
   * Default: runs it immediately.
   */
  schedule?: (work: () => Promise<boolean>, signal: AbortSignal) => Promise<boolean>
  /** True if no further read may begin; running reads are finished and committed. */
  isOver: () => boolean
  signal: AbortSignal
}

/**
 * Reads the gaps in parallel and commits them one at a time as they arrive, in any order. During a commit, the next batch is prepared and others are
 * read. The first error stops everything, and is thrown once every read has ended.
 */
export async function backfill<Batch>(options: BackfillOptions<Batch>): Promise<void> {
  const { inFlight, width, measures = false, read, commit, isOver, schedule = (work) => work() } = options
  const gaps = options.gaps.map((gap) => ({ ...gap }))
  const failure = new AbortController()
  const signal = AbortSignal.any([options.signal, failure.signal])
  /** When the last requested commit may start, and when it has ended. */
  let last = { previousEnd: Promise.resolve(), end: Promise.resolve() }

  function next(): BlockRange | undefined {
    const gap = gaps[0]
    if (!gap || signal.aborted || isOver()) return undefined
    const to = gap.from + width() - 1n
    if (to >= gap.to) return gaps.shift()
    const range = { from: gap.from, to }
    gap.from = to + 1n
    return range
  }

  /** False: no range is left to read. */
  async function readNext(): Promise<boolean> {
    const requested = next()
    if (!requested) return false
    const { batch, to } = await read(requested, signal)
    if (to < requested.to) gaps.unshift({ from: to + 1n, to: requested.to })
    measured.resolve()
    const before = last
    const end = before.previousEnd.then(() => {
      signal.throwIfAborted()
      return commit({ from: requested.from, to }, batch, () => before.end)
    })
    last = { previousEnd: before.end, end }
    await end
    return true
  }

  async function readRanges(): Promise<void> {
    while (await schedule(readNext, signal));
  }

  /** Has its first answer, or ended without one. */
  const measured = Promise.withResolvers<void>()
  const readers = Array.from({ length: inFlight }, async (_, place) => {
    if (measures && place > 0) await measured.promise
    await readRanges()
      .catch((error: unknown) => {
        failure.abort(error)
        throw error
      })
      .finally(measured.resolve)
  })
  const outcomes = await Promise.allSettled(readers)
  options.signal.throwIfAborted()
  if (failure.signal.aborted) throw failure.signal.reason
  const rejected = outcomes.find((o) => o.status === 'rejected')
  if (rejected) throw rejected.reason
}
