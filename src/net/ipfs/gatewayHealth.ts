/** Half-life of a latency, in milliseconds, so that a gateway that was slow or failed is tried again. */
const halfLifeMs = 300_000
const worstMs = 60_000
/** Weight of the latest answer in the mean. */
const weight = 0.2

/** Recent health of one gateway. The lower its score, the earlier it is queried. */
export type GatewayHealth = {
  begin(): void
  /** `ms`: time of the answer. A failure counts as twice that time or twice the mean, whichever is more. */
  end(outcome: 'ok' | 'failed' | 'slow' | 'neutral', ms: number): void
  /** Expected milliseconds, more if requests are in progress; 0 if nothing is known. */
  score(): number
}

export function createGatewayHealth(): GatewayHealth {
  let mean = 0
  let at = performance.now()
  let active = 0
  const current = () => mean * 0.5 ** ((performance.now() - at) / halfLifeMs)
  const set = (ms: number) => {
    mean = Math.min(worstMs, Math.max(1, ms))
    at = performance.now()
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
      // Another gateway was faster, so this request was aborted; it would have taken at least this long.
      if (outcome === 'slow') set(Math.max(known, ms))
    },
    score: () => current() * (1 + active / 4) + active,
  }
}
