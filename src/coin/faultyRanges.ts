import type { BlockRange } from '../sync/blockRange.ts'
import { MintmarkError } from '../util/errors.ts'
import { larger } from '../util/extremes.ts'
import { isInputFault } from '../util/faults/inputFault.ts'
import { shownReason } from '../util/faults/shownReason.ts'
import type { Log } from '../util/log.ts'

/** Attempts in a row before a range is skipped. */
const maxAttempts = 3

/** How long a range is skipped before a retry, in milliseconds. A restart of the process also retries it. */
const pauseMs = 3_600_000

/** These versions cannot be processed: the error is reproducible. */
export class RangeFaultError extends MintmarkError {
  readonly code = 'RANGE_ERROR'
  readonly range: BlockRange

  constructor({ from, to }: BlockRange, options: { cause: unknown }) {
    super(`versions ${from} to ${to} cannot be processed`, options)
    this.range = { from, to }
  }
}

/** Runs `work` on a range. A reproducible error becomes a RangeFaultError. */
export async function workOn<T>(range: BlockRange, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw isInputFault(cause) ? new RangeFaultError(range, { cause }) : cause
  }
}

/** Ranges of a network that this program cannot process. They are skipped, so that all others are read. */
export type FaultyRanges = {
  /** Records an error; after the third one the range is skipped for an hour. */
  note(error: RangeFaultError): void
  /** Must be called once these versions are stored. */
  forget(range: BlockRange): void
  /** The first version after all skipped ranges; undefined: none are skipped. */
  end(): bigint | undefined
  /** The parts of gaps to read. */
  without(gaps: readonly BlockRange[]): BlockRange[]
  /** Skipped ranges with the reason, as readable text; undefined: none. */
  reason(): string | undefined
}

type Faulty = { to: bigint; attempts: number; until: number; reason: string }

export function createFaultyRanges({
  log,
  now = () => performance.now(),
}: {
  log: Log
  now?: () => number
}): FaultyRanges {
  /** By first version of the range, as the last version of the newest range moves with the head. */
  const faulty = new Map<bigint, Faulty>()
  const skipped = () => [...faulty].filter(([, { attempts }]) => attempts >= maxAttempts)

  return {
    note(error) {
      const { from, to } = error.range
      const attempts = (faulty.get(from)?.attempts ?? 0) + 1
      faulty.set(from, { to, attempts, until: now() + pauseMs, reason: shownReason(error.cause) })
      const fields = { from: String(from), to: String(to), attempts, err: error }
      if (attempts < maxAttempts) log.warn(fields, 'aptos versions failed')
      else log.error(fields, 'aptos versions skipped')
    },
    forget({ from, to }) {
      for (const first of faulty.keys()) if (first >= from && first <= to) faulty.delete(first)
    },
    end() {
      const ends = skipped().map(([, { to }]) => to + 1n)
      return ends.length === 0 ? undefined : ends.reduce(larger)
    },
    without(gaps) {
      let remaining = [...gaps]
      for (const [from, { to, until }] of skipped())
        if (until > now()) remaining = remaining.flatMap((gap) => cut(gap, { from, to }))
      return remaining
    },
    reason() {
      const [first, ...others] = skipped()
      if (!first) return undefined
      const [from, { to, reason }] = first
      const more = others.length === 0 ? '' : ` and ${others.length} more ranges`
      return `versions ${from} to ${to}${more} are skipped, and retried once an hour and after a restart: ${reason}`
    },
  }
}

/** The parts of a gap outside of a range. */
function cut(gap: BlockRange, { from, to }: BlockRange): BlockRange[] {
  if (to < gap.from || from > gap.to) return [gap]
  const before = { from: gap.from, to: from - 1n }
  const after = { from: to + 1n, to: gap.to }
  return [before, after].filter((part) => part.from <= part.to)
}
