import { largest } from '../../../util/extremes.ts'
import type { Refusal } from '../rpc/classifyRefusal.ts'

/**
 * How many blocks to ask of eth_getLogs at once for one contract, shared by all readers of that contract: shrinks as nodes refuse
 * or fail, grows again as they answer. Each contract has its own, so one with heavy logs slows no other.
 */
export type LogWidth = {
  /** Blocks to ask for, and the endpoints known to refuse so many. */
  next(): { width: number; avoid: ReadonlySet<string> }
  answered(width: number, endpoint: string): void
  /** `endpoint` refused `width`, so less is asked from now on, or another endpoint. Gives what this endpoint may take. */
  refused(width: number, endpoint: string, refusal: Refusal | undefined): number
}

/**
 * The widest range that each endpoint takes, whatever the contract: a node that takes 10 blocks must not slow one that takes 10,000.
 */
export type RangeCaps = {
  lower(endpoint: string, blocks: number): number
  /** What the most generous endpoint takes; `max` while one has no cap. */
  widest(): number
  narrowerThan(width: number): Set<string>
}

const growAfter = 4
const growBy = 1.5
/** Most answers to wait for before a wider range is tried again that ran into a time limit each time: such a try is dear. */
const longestPatience = 256
/** A cap on the range is tried again after this long: plans and nodes change. */
const capLastsMs = 600_000

type Clock = { now?: () => number }

export function createRangeCaps(options: { max: number; endpoints: number } & Clock): RangeCaps {
  const { max, endpoints, now = () => performance.now() } = options
  const caps = new Map<string, { blocks: number; at: number }>()
  return {
    lower(endpoint, blocks) {
      const known = caps.get(endpoint)
      if (known && known.blocks <= blocks) return known.blocks
      caps.set(endpoint, { blocks, at: now() })
      return blocks
    },
    widest() {
      for (const [endpoint, cap] of caps) if (now() - cap.at > capLastsMs) caps.delete(endpoint)
      return caps.size < endpoints ? max : largest([...caps.values()].map((cap) => cap.blocks))
    },
    narrowerThan(width) {
      return new Set([...caps].flatMap(([endpoint, cap]) => (cap.blocks < width ? [endpoint] : [])))
    },
  }
}

export type LogWidthOptions = {
  max: number
  endpoints: number
  /** Shared by the contracts of a chain; its own where left out. */
  caps?: RangeCaps
  /** The width that worked before; left out: `max`. */
  start?: number
  /** Called with each width that worked while the contract takes less than `max`. */
  worked?: (width: number, endpoint: string) => void
} & Clock

export function createLogWidth(options: LogWidthOptions): LogWidth {
  const { max, now = () => performance.now() } = options
  const caps = options.caps ?? createRangeCaps({ ...options, now })
  let width = Math.min(max, options.start ?? max)
  let heavy = options.start !== undefined
  let streak = 0
  let patience = growAfter
  /** The width was raised and has not been answered since. */
  let trying = false

  return {
    next() {
      width = Math.max(1, Math.min(width, caps.widest()))
      return { width, avoid: caps.narrowerThan(width) }
    },
    answered(asked, endpoint) {
      if (asked < width) return
      if (heavy) options.worked?.(asked, endpoint)
      if (trying) patience = Math.max(growAfter, Math.floor(patience / 4))
      trying = false
      if (++streak < patience) return
      streak = 0
      const before = width
      width = Math.max(1, Math.min(max, caps.widest(), Math.max(width + 1, Math.floor(width * growBy))))
      trying = width > before
    },
    refused(asked, endpoint, refusal) {
      streak = 0
      if (refusal?.class === 'range_cap') {
        const said = Number(refusal.cap ?? refusal.suggestedWidth ?? 0)
        // A cap that is not below the refused width counts something else than blocks: halving finds it.
        return caps.lower(endpoint, said > 0 && said < asked ? said : Math.max(1, Math.floor(asked / 2)))
      }
      heavy = true
      const suggested = Number(refusal?.suggestedWidth ?? 0)
      const narrower = suggested > 0 && suggested < asked ? suggested : Math.floor(asked / 2)
      // A node refuses too many logs or bytes at once; a time limit costs all of its time with each try.
      const isDear = refusal?.class !== 'result_cap' && refusal?.class !== 'response_size'
      if (trying && isDear) patience = Math.min(longestPatience, patience * 4)
      trying = false
      // From the width that was asked, so that four refusals of one moment halve once.
      width = Math.max(1, Math.min(width, narrower))
      return width
    },
  }
}
