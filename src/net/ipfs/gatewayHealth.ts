/** After so long a latency counts half, in milliseconds, so that a gateway that was slow or failed is tried again. */
const halfLifeMs = 300_000
const worstMs = 60_000
/** Weight of the newest answer in the mean. */
const weight = 0.2

/** How one gateway has fared lately. The lower its score, the earlier it is queried. */
export type GatewayHealth = {
  begin(): void
  /** `ms`: the time that the answer took. A failure counts as twice that time or twice the mean, whichever is more. */
  end(outcome: 'ok' | 'failed' | 'slow' | 'neutral', ms: number): void
  /** Expected milliseconds, more where requests are in progress already; 0 if nothing is known. */
  score(): number
}

export function createGatewayHealth(now: () => number = () => performance.now()): GatewayHealth {
  let mean = 0
  let at = now()
  let active = 0
  const current = () => mean * 0.5 ** ((now() - at) / halfLifeMs)
  const set = (ms: number) => {
    mean = Math.min(worstMs, Math.max(1, ms))
    at = now()
  }
  return {
    begin() {
      active++
    },
    end(outcome, ms) {
      active--
      const known = current()
      if (outcome === 'ok') set(known === 0 ? ms : known * (1 - weight) + ms * weight)
      if (outcome === 'failed') set(Math.max(known, ms, 500) * 2)
      // Another gateway was faster, so this one was given up; it would have taken at least so long.
      if (outcome === 'slow') set(Math.max(known, ms))
    },
    score: () => current() * (1 + active / 4) + active,
  }
}
