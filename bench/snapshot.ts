import { peakMegabytes, startChild } from './child.ts'
import { type Figure, medians } from './figure.ts'
import type { SnapshotMakerInput } from './snapshotMaker.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

const transfers = 500_000

/** Measures a snapshot with its Merkle root in the middle of the transfers of a collection. Each round makes it again. */
export const snapshot: Figure = {
  name: 'snapshot',
  title: `A snapshot at a block in the middle of ${transfers.toLocaleString('en')} transfers: 250,000 holders, their file and its Merkle root`,
  async run() {
    const postgres = await startTemporaryPostgres()
    const input: SnapshotMakerInput = { databaseUrl: postgres.url, transfers }
    const maker = startChild('./snapshotMaker.ts', input)
    await maker.next()
    const rows = await medians(3, async () => {
      maker.send('go')
      const { seconds, longestHoldMs } = await maker.next<{ seconds: number; longestHoldMs: number }>()
      return [
        { what: 'the whole file, with its root', value: seconds, unit: 's', goal: { atMost: 4 } },
        {
          what: 'memory of the process at its peak',
          value: peakMegabytes(maker.pid),
          unit: 'MB',
          goal: { atMost: 400 },
        },
        { what: 'longest time for which other requests waited', value: longestHoldMs, unit: 'ms' },
      ]
    })
    await maker.stop()
    await postgres.stop()
    return rows
  },
}
