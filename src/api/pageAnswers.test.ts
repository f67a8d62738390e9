import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as breath } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPageAnswers } from './pageAnswers.ts'
import { createPageCache } from './pageCache.ts'
import type { Exchange } from './route.ts'

const exchange: Exchange = {
  requestId: 'one',
  encoding: 'identity',
  target: '/',
  key: undefined,
  header: () => undefined,
}

const open = () => createPageAnswers({ cache: createPageCache({ maxBytes: 0 }), onPage: () => undefined })

const stateOf = (name: string) => ({ name, version: 1n, etag: `W/"${name}"`, headers: [] })

test('behavior: a page that many wait for is cut once, and again for who comes later', async () => {
  const answers = open()
  let cuts = 0
  const cut = async () => {
    await breath()
    return `page ${++cuts}`
  }
  const ask = async () => String((await answers.answer({ state: stateOf('a'), keep: true, cut, exchange })).body)
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['page 1', 'page 1', 'page 1'])
  expect(await ask()).toBe('page 2')
})

test('error: a page that cannot be cut fails for all who wait, and is tried again', async () => {
  const answers = open()
  let cuts = 0
  const cut = async () => {
    await breath()
    if (++cuts === 1) throw new Error('away')
    return 'page'
  }
  const ask = () => answers.answer({ state: stateOf('a'), keep: true, cut, exchange })
  expect((await Promise.allSettled([ask(), ask()])).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(String((await ask()).body)).toBe('page')
})

/** Times that V8 marked the whole heap while 8,000 pages were answered. */
async function countMarkings(): Promise<number> {
  const answers = open()
  let markings = 0
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as unknown as { detail: { kind: number } }[])
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) markings++
  })
  observer.observe({ entryTypes: ['gc'] })
  const text = 'x'.repeat(66_000)
  let turn = 0
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let i = 0; i < 500; i++) {
        const name = String(turn++)
        const cut = async () => {
          await breath()
          return text + name
        }
        await answers.answer({ state: stateOf(name), keep: true, cut, exchange })
      }
    }),
  )
  await breath()
  observer.disconnect()
  return markings
}

test('behavior: pages that were answered are gone without V8 marking the whole heap for them', async () => {
  // V8 marks for reasons of its own too, such as what an earlier test left: pages that are kept are so in each round.
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3 && least >= 4; round++) least = Math.min(least, await countMarkings())
  // 8,000 pages are 528 MB, and V8 marks for each 64 MB that it takes for kept.
  expect(least).toBeLessThan(4)
})
