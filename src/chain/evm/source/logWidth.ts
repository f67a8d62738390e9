import { largest } from '../../../util/extremes.ts'
import type { Rejection } from '../rpc/classifyRejection.ts'

/**
 * How many blocks to request from eth_getLogs at once for one contract, shared by all its readers. It starts narrow, grows with each answer of few
 * logs, and shrinks as nodes reject or fail. Each contract has its own, so a contract with many logs does not slow others.
 */
export type LogWidth = {
  /**
   * Blocks to request, and the endpoints known to reject so many. `isCapped`: no endpoint accepts more. `isProven`: an endpoint has answered as many.
   */
  next(): { width: number; avoid: ReadonlySet<string>; isCapped: boolean; isProven: boolean }
  /**
   * To be called before a request. If no endpoint has answered as many blocks, one reader tries it: the others get `wait`, and call `next` again
   * after it. `end` must be called after the try.
   */
  begin(width: number): { wait: Promise<void> | undefined; end(): void }
  /** `logs`: number of logs in the answer, `ms`: its response time. */
  answered(width: number, endpoint: string, logs?: number, ms?: number): void
  /** Blocks with about the wanted number of logs, by the last answer; undefined: it had none. */
  wanted(): number | undefined
  /** `endpoint` rejected `width`, so later requests are narrower, or go to another endpoint. Returns the width that this endpoint may accept. */
  rejected(width: number, endpoint: string, rejection: Rejection | undefined): number
}

/** The widest range of each endpoint, for any contract: a node that accepts 10 blocks must not slow down one that accepts 10,000. */
export type RangeCaps = {
  /**
   * `endpoint` rejected `requested` blocks. `accepted`: the number that it allows; omitted: it is guessed. Returns the number that the endpoint may accept.
   */
  lower(endpoint: string, requested: number, accepted?: number): number
  /** An endpoint returned a contract's logs of this many blocks. `ms`: its response time; omitted: it shows nothing about wider ranges. */
  answered(endpoint: string, blocks: number, ms?: number): void
  /** The widest range of all endpoints; `max` while one has no cap. */
  widest(): number
  narrowerThan(width: number): Set<string>
  /** Whether an endpoint has answered as many blocks, or so many that it hardly has a limit. */
  isProven(width: number): boolean
  /** Blocks of a contract's first request, before its activity is known: many once an endpoint answered as many quickly. */
  first(): number
  /** An endpoint took too long for a range. */
  timedOut(): void
}

/** Wanted logs per answer: enough that calls cost little, few enough to keep memory flat (1.5 kB each while read). */
export const logsPerAnswer = 8_000
/** With more logs, the width shrinks at once. */
const mostLogs = 1.5 * logsPerAnswer
/**
 * Blocks of a contract's first request, before its activity is known: at least, and at most of an endpoint that answers as many within `quickMs`. The
 * most is what 20,000,000 blocks need to be read in three requests. A contract with a log in each block has more than twice the wanted logs in it.
 */
export const firstWidth = 1_000
const widestFirst = 20_000
const quickMs = 1_000
/** An endpoint that answered as many blocks hardly has a limit. */
const unlimited = 250_000
/** Most growth of the width between two answers, as busy blocks may follow quiet ones. */
export const mostGrowth = 32

/** Time limit of a wider answer, if the time grows in proportion to the width. Nodes abort longer ones. */
const longestMs = 5_000

const growAfter = 4
const growBy = 1.5
/** Most answers before a wider range is tried again that timed out each time: such a try is expensive. */
const longestPatience = 256
/** A range cap is tried again after this time: plans and nodes change. */
const capLastsMs = 600_000
/** Caps of providers, tried in order if a node rejects without a number. */
const usualCaps = [1_000_000, 100_000, 50_000, 10_000, 5_000, 3_000, 2_000, 1_000, 500, 100]
/** A retried cap grows by this factor with each answer. */
const retryGrowth = 4
/** An answer of more bytes than a client reads has this many times the wanted logs. */
const oversize = 8

type Clock = { now?: () => number }

/** `isRetried`: it is being determined again, as it is old. */
type Cap = { blocks: number; isRetried: boolean; at: number }

export function createRangeCaps(options: { max: number; endpoints: number } & Clock): RangeCaps {
  const { max, endpoints, now = () => performance.now() } = options
  const caps = new Map<string, Cap>()
  /** The widest range that each endpoint answered. */
  const proven = new Map<string, number>()
  let quickest = firstWidth

  /** After a time the endpoint is queried for twice as much, and for more with each answer. */
  function retry(cap: Cap): void {
    if (now() - cap.at <= capLastsMs) return
    cap.blocks *= 2
    cap.isRetried = true
    cap.at = now()
  }

  /** The next width for an endpoint that rejected `requested` without a number. */
  function guess(endpoint: string, requested: number): number {
    const taken = proven.get(endpoint) ?? 0
    const usual = usualCaps.find((blocks) => blocks < requested)
    if (usual !== undefined && usual > taken) return usual
    return taken > 0 && taken < requested ? taken : Math.max(1, Math.floor(requested / 2))
  }

  return {
    lower(endpoint, requested, accepted) {
      const blocks = Math.min(
        accepted ?? guess(endpoint, requested),
        caps.get(endpoint)?.blocks ?? Number.POSITIVE_INFINITY,
      )
      proven.set(endpoint, Math.min(proven.get(endpoint) ?? 0, blocks))
      caps.set(endpoint, { blocks, isRetried: false, at: now() })
      return blocks
    },
    answered(endpoint, blocks, ms = Number.POSITIVE_INFINITY) {
      if (blocks > (proven.get(endpoint) ?? 0)) proven.set(endpoint, blocks)
      if (ms < quickMs && blocks > quickest) quickest = Math.min(blocks, widestFirst)
      const cap = caps.get(endpoint)
      if (cap?.isRetried && blocks >= cap.blocks) cap.blocks *= retryGrowth
    },
    widest() {
      for (const cap of caps.values()) retry(cap)
      return caps.size < endpoints ? max : Math.min(max, largest([...caps.values()].map((cap) => cap.blocks)))
    },
    narrowerThan(width) {
      return new Set([...caps].flatMap(([endpoint, cap]) => (cap.blocks < width ? [endpoint] : [])))
    },
    isProven: (width) => proven.values().some((blocks) => blocks >= Math.min(width, unlimited)),
    first: () => quickest,
    timedOut() {
      quickest = firstWidth
    },
  }
}

/** The number of blocks that a rejection of `requested` blocks allows; undefined if it reports none. */
export function acceptedBlocks(rejection: Rejection | undefined, requested: number): number | undefined {
  const accepted = Number(rejection?.cap ?? rejection?.suggestedWidth ?? 0)
  // A cap that is not below the rejected width does not count blocks.
  return accepted > 0 && accepted < requested ? accepted : undefined
}

export type LogWidthOptions = {
  max: number
  endpoints: number
  /** Shared by the contracts of a chain; omitted: its own. */
  caps?: RangeCaps
  /** Default: `firstWidth`. */
  first?: number
} & Clock

export function createLogWidth(options: LogWidthOptions): LogWidth {
  const { max, now = () => performance.now() } = options
  const caps = options.caps ?? createRangeCaps({ ...options, now })
  let width = Math.min(max, options.first ?? firstWidth)
  /** Nodes rejected the logs of this contract for another reason than the number of blocks. */
  let heavy = false
  let streak = 0
  let patience = growAfter
  /** The width was raised and has not been answered since. */
  let trying = false
  /** Logs per block, by the last answer. */
  let density = 0

  /** The width by the logs of an answer. */
  function byLogs(requested: number, logs: number, ms: number): number {
    if (logs > mostLogs) return Math.max(1, Math.floor((requested * logsPerAnswer) / logs))
    if (logs > 0.6 * logsPerAnswer) return requested
    const growth = Math.min(mostGrowth, (0.75 * logsPerAnswer) / Math.max(1, logs), longestMs / Math.max(1, ms))
    return requested * Math.max(1, Math.floor(growth))
  }

  /** A reader requests more than any endpoint has answered. */
  let trial: Promise<void> | undefined

  return {
    begin(requested) {
      if (trial || caps.isProven(requested))
        return { wait: caps.isProven(requested) ? undefined : trial, end: () => undefined }
      const { promise, resolve } = Promise.withResolvers<void>()
      trial = promise
      return {
        wait: undefined,
        end() {
          if (trial === promise) trial = undefined
          resolve()
        },
      }
    },
    next() {
      const widest = caps.widest()
      width = Math.max(1, Math.min(width, widest))
      return { width, avoid: caps.narrowerThan(width), isCapped: width === widest, isProven: caps.isProven(width) }
    },
    answered(requested, endpoint, logs = 0, ms = 0) {
      caps.answered(endpoint, requested, ms)
      density = logs / requested
      if (logs > mostLogs) width = Math.min(width, byLogs(requested, logs, ms))
      if (requested < width || logs > mostLogs) return
      if (!heavy) {
        width = Math.max(1, Math.min(max, caps.widest(), byLogs(requested, logs, ms)))
        return
      }
      if (trying) patience = Math.max(growAfter, Math.floor(patience / 4))
      trying = false
      if (++streak < patience) return
      streak = 0
      const before = width
      width = Math.max(1, Math.min(max, caps.widest(), Math.max(width + 1, Math.floor(width * growBy))))
      trying = width > before
    },
    wanted: () => (density > 0 ? Math.max(1, Math.floor(logsPerAnswer / density)) : undefined),
    rejected(requested, endpoint, rejection) {
      streak = 0
      if (rejection?.class === 'range_cap') {
        return caps.lower(endpoint, requested, acceptedBlocks(rejection, requested))
      }
      heavy = true
      const suggested = Number(rejection?.suggestedWidth ?? 0)
      const part = rejection?.class === 'response_size' ? oversize : 2
      const narrower = suggested > 0 && suggested < requested ? suggested : Math.floor(requested / part)
      // A node rejects too many logs or bytes at once; each try of a timeout costs its whole time.
      const isDear = rejection?.class !== 'result_cap' && rejection?.class !== 'response_size'
      if (isDear) caps.timedOut()
      if (trying && isDear) patience = Math.min(longestPatience, patience * 4)
      trying = false
      // Computed from the requested width, so that four simultaneous rejections halve it once.
      width = Math.max(1, Math.min(width, narrower))
      return width
    },
  }
}
