/** For how long a primary has had something that its replica does not show, whatever their clocks say and however idle the primary is. */
export type LagClock = {
  /** The end of the primary's log of changes, as it was at a time; `since`: what came before may be missing from that time on. */
  see(written: bigint, at: number, since?: number): void
  /** How long a replica that has replayed the log up to there is behind, in milliseconds; 0: it has all that was seen. */
  behindMs(replayed: bigint, at: number): number
}

/** An end of the log, and when it was seen first. */
type End = { written: bigint; at: number }

/** Ends that are remembered: with one a second all of ten minutes, and of a day one in five minutes. */
const mostEnds = 600

export function createLagClock(): LagClock {
  /** Ends that the replica may not have reached, in order. */
  let ends: End[] = []
  let newest: End = { written: -1n, at: 0 }
  /** The least time between two ends that are remembered, in milliseconds. */
  let apartMs = 0

  return {
    see(written, at, since = at) {
      if (written <= newest.written) return
      newest = { written, at: since }
      const last = ends.at(-1)
      if (last && since - last.at < apartMs) return
      ends.push(newest)
      if (ends.length <= mostEnds) return
      // The first shows how long the replica is behind.
      ends = ends.filter((_, i) => i % 2 === 0)
      apartMs = (since - ends[0]!.at) / (mostEnds / 2)
    },
    behindMs(replayed, at) {
      const missing = ends.findIndex(({ written }) => written > replayed)
      if (missing >= 0) ends = ends.slice(missing)
      else {
        ends = newest.written > replayed ? [newest] : []
        apartMs = 0
      }
      return ends.length === 0 ? 0 : Math.max(0, at - ends[0]!.at)
    },
  }
}
