import { startChild } from './child.ts'
import { type Figure, medians, type Row } from './figure.ts'
import type { MatcherAnswer, MatcherInput } from './matcher.ts'

const input: MatcherInput = { streams: 1_000, addresses: 1_000_000, logs: 200, blocks: 4_096 }

/** Measures how fast many streams match the blocks of a busy chain. Webhooks are written but not stored. */
export const matching: Figure = {
  name: 'matching',
  title: 'Matching: 1,000 streams with 1,000,000 addresses, blocks of 200 logs and 150 transactions',
  async run() {
    return medians(3, async () => {
      const child = startChild('./matcher.ts', input)
      const { blocksPerSecond, webhooks, megabytes, loadSeconds } = await child.next<MatcherAnswer>()
      await child.stop()
      return [
        { what: 'blocks matched', value: blocksPerSecond, unit: 'blocks/s', goal: { atLeast: 300 } },
        { what: 'webhooks written', value: webhooks, unit: 'a block' },
        { what: 'memory of the process at its peak', value: megabytes, unit: 'MB', goal: { atMost: 500 } },
        { what: 'loading the address index', value: loadSeconds, unit: 's' },
      ] satisfies Row[]
    })
  },
}
