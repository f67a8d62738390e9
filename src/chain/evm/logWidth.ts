import type { Refusal } from './classifyRefusal.ts'

/**
 * How many blocks to ask of eth_getLogs at once, shared by all readers of a chain: shrinks as nodes refuse, grows again
 * as they answer. Caps on the range are kept by endpoint, so that a node that takes 10 blocks does not slow one that
 * takes 10,000.
 */
export type LogWidth = {
  /** Blocks to ask for, and the endpoints known to refuse so many. */
  next(): { width: number; avoid: ReadonlySet<string> }
  answered(width: number): void
  /** `width` was refused by `endpoint`: asked narrower from now on, or elsewhere. Gives what that endpoint may take. */
  refused(width: number, endpoint: string, refusal: Refusal | undefined): number
}

const growAfter = 4
const growBy = 1.5
/** A cap on the range is tried again after this long: plans and nodes change. */
const capLastsMs = 600_000

export type LogWidthOptions = { max: number; endpoints: number; now?: () => number }

export function createLogWidth({ max, endpoints, now = () => performance.now() }: LogWidthOptions): LogWidth {
  const caps = new Map<string, { blocks: number; at: number }>()
  let width = max
  let streak = 0

  function widestCap(): number {
    for (const [endpoint, cap] of caps) if (now() - cap.at > capLastsMs) caps.delete(endpoint)
    return caps.size < endpoints ? max : Math.max(...[...caps.values()].map((cap) => cap.blocks))
  }

  return {
    next() {
      width = Math.max(1, Math.min(width, widestCap()))
      const avoid = new Set<string>()
      for (const [endpoint, cap] of caps) if (cap.blocks < width) avoid.add(endpoint)
      return { width, avoid }
    },
    answered(asked) {
      if (asked < width || ++streak < growAfter) return
      streak = 0
      width = Math.max(1, Math.min(max, widestCap(), Math.max(width + 1, Math.floor(width * growBy))))
    },
    refused(asked, endpoint, refusal) {
      streak = 0
      if (refusal?.class === 'range_cap') {
        const said = Number(refusal.cap ?? refusal.suggestedWidth ?? 0)
        // A cap that is no narrower than what it refused is measured some other way: find it by halving.
        const blocks = said > 0 && said < asked ? said : Math.max(1, Math.floor(asked / 2))
        const known = caps.get(endpoint)
        if (known && known.blocks <= blocks) return known.blocks
        caps.set(endpoint, { blocks, at: now() })
        return blocks
      }
      const suggested = Number(refusal?.suggestedWidth ?? 0)
      const narrower = suggested > 0 && suggested < asked ? suggested : Math.floor(asked / 2)
      // From the width that was asked, so that four refusals of one moment halve once.
      width = Math.max(1, Math.min(width, narrower))
      return width
    },
  }
}
