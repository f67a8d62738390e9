// @module-tag system

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import type { OwnedStream } from '../simulation/clients/ownedStream.ts'
import { createStream } from '../simulation/clients/streamOwner.ts'
import { createJournal } from '../simulation/journal.ts'
import { plants } from '../simulation/plants.ts'
import { untilWhole } from '../simulation/processes/citusDatabase.ts'
import { sabotage, simulate } from '../simulation/simulate.ts'
import type { World } from '../simulation/world.ts'
import { createRandom, freshSeed } from './random.ts'

/** A soak draws its seeds and runs each for two minutes. The suite runs one seed, for thirty seconds including start and end. */
const isSoak = inject('rounds') > 1
/** Seeds that found errors, except those that `.ci/run` runs. docs/reliability.md lists the errors. */
const found = [2, 7, 102, 103, 201, 205]
const seeds = isSoak ? [...found, ...Array.from({ length: inject('rounds') }, (_, i) => freshSeed() + i)] : [6]
const size = { history: 150, processes: { api: 1, sync: 2, deliver: 1 }, nodes: 2 }

test.each(seeds)(
  'behavior: the simulation with seed %i injects every kind of fault, and all guarantees hold',
  async (seed) => {
    const outcome = await simulate({ seed, ms: isSoak ? 120_000 : 12_000, ...(!isSoak && { size }) })
    expect(outcome.faults, outcome.lines.join('\n')).toEqual([])
  },
)

test.runIf(isSoak)('behavior: the simulation finds each kind of deliberate damage by its own check', async () => {
  expect(await sabotage({ seed: freshSeed() })).toEqual([])
})

test.each(plants)('behavior: the bug “$name” can still be planted', async ({ file, find }) => {
  const text = await readFile(join(import.meta.dirname, '../src', file), 'utf8')
  expect(text.split(find)).toHaveLength(2)
})

test('behavior: a simulation on Citus keeps waiting if its cluster restarts between two queries', async () => {
  const reported: unknown[][][] = [[['12:00']], [['12:01']]]
  let isUnreachable = true
  const rowsUnlessUnreachable = async <T extends unknown[]>(text: string): Promise<T[] | undefined> => {
    if (!text.includes('clock_timestamp')) return [[2, 0]] as unknown[] as T[]
    if (!isUnreachable) return reported.shift() as T[]
    isUnreachable = false
    return undefined
  }
  await untilWhole({ rowsUnlessUnreachable })
  expect(reported).toEqual([])
})

test('behavior: a simulation resumes a stream that was created paused because its test webhook timed out', async () => {
  const text = JSON.stringify({ id: 'a', status: 'paused', statusMessage: 'late', effectiveBlocks: { '0x7a69': '5' } })
  const streams: OwnedStream[] = []
  const world = {
    ...{
      journal: createJournal(() => undefined),
      streams,
      receivers: { url: '' },
      chain: { head: () => ({ number: 4 }) },
    },
    client: { request: async () => ({ status: 200, headers: {}, text, at: 0 }) },
  } as unknown as World
  await createStream(world, createRandom(1))
  expect(streams.map(({ isPaused }) => isPaused)).toEqual([true])
})
