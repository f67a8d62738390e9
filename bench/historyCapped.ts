import { startChild } from './child.ts'
import type { FarAddress, FarStandInInput } from './farStandIn.ts'
import { type Figure, medians, type Row } from './figure.ts'
import { measureService } from './history.ts'

const delayMs = 80
const logs = 200_000
const blocks = 400_000

/** Widest ranges of most public nodes. A range has about 5,000 logs on the first node, and 1,000 on the second. */
const widths = [10_000, 2_000]

/** Measures the history of a busy contract on nodes that limit the blocks of a range, so that it is read in many short answers. */
export const historyCapped: Figure = {
  name: 'history-capped',
  title: `History of one collection: ${logs.toLocaleString('en')} mints over ${blocks.toLocaleString('en')} blocks, on nodes with a range limit that answer after ${delayMs} ms`,
  async run() {
    const rows: Row[] = []
    for (const maxBlocks of widths) rows.push(...(await medians(3, () => measure(maxBlocks))))
    return rows
  },
}

async function measure(maxBlocks: number): Promise<Row[]> {
  const input: FarStandInInput = { rules: { delayMs, maxBlocks }, first: 1_000, blocks, mints: logs }
  const standIn = startChild('./farStandIn.ts', input)
  const node = await standIn.next<FarAddress>()
  const { rate, mainShare, megabytes } = await measureService(node, logs)
  await standIn.stop()
  const name = `at most ${maxBlocks.toLocaleString('en')} blocks`
  return [
    { what: name, value: rate, unit: 'logs/s' },
    { what: `${name}: main thread of Mintmark, of a core`, value: mainShare, unit: '%', goal: { atMost: 20 } },
    { what: `${name}: memory of the Node process at its peak`, value: megabytes, unit: 'MB', goal: { atMost: 600 } },
  ]
}
