/** Measures how long a replica has lacked something that the primary has, independent of both clocks and of an idle primary. */
export type LagClock = {
  /** The end of the primary's WAL at a time. `since`: earlier changes may be missing from that time on. */
  see(written: bigint, at: number, since?: number): void
  /** Lag of a replica that has replayed the WAL up to there, in milliseconds; 0: it has everything seen. */
  behindMs(replayed: bigint, at: number): number
}

/** An end of the WAL, and when it was first seen. */
type End = { written: bigint; at: number }

/** Most remembered ends: with one per second all of ten minutes, and of a day one per five minutes. */
const mostEnds = 600

export function createLagClock(): LagClock {
  /** Ends that the replica may not have reached, in order. */
  let ends: End[] = []
  let newest: End = { written: -1n, at: 0 }
  /** The least time between two remembered ends, in milliseconds. */
  let apartMs = 0

  return {
    see(written, at, since = at) {
      if (written <= newest.written) return
      newest = { written, at: since }
      const last = ends.at(-1)
      if (last && since - last.at < apartMs) return
      ends.push(newest)
      if (ends.length <= mostEnds) return
      // The first one determines the lag.
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
