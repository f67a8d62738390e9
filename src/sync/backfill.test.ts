import { setImmediate as breath } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backfill } from './backfill.ts'
import { type BlockRange, gapsOf, parseMultirange } from './blockRange.ts'

const never = new AbortController().signal

/** Reads blocks as numbers, at most `most` per read. */
function reader(most: bigint) {
  return async ({ from, to }: BlockRange) => {
    await breath()
    const end = to - from + 1n > most ? from + most - 1n : to
    return { batch: Array.from({ length: Number(end - from) + 1 }, (_, i) => from + BigInt(i)), to: end }
  }
}

test('behavior: every missing block is committed once, for any covered blocks and any number of blocks per read', async () => {
  const covered = fc.uniqueArray(fc.nat(60), { maxLength: 30 }).map((blocks) => new Set(blocks))
  await fc.assert(
    fc.asyncProperty(
      covered,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 5 }),
      async (done, most, width, inFlight) => {
        const ranges = [...done].sort((a, b) => a - b).map((block) => ({ from: BigInt(block), to: BigInt(block) }))
        const gaps = gapsOf({ from: 0n, to: 59n }, ranges)
        const committed: bigint[] = []
        let started = 0
        let committing = 0
        await backfill<bigint[]>({
          gaps,
          inFlight,
          width: () => BigInt(width),
          read: reader(BigInt(most)),
          async commit(range, batch, schedule) {
            started += 1
            expect(started).toBeLessThanOrEqual(2)
            expect(batch[0]).toBe(range.from)
            expect(batch.at(-1)).toBe(range.to)
            await breath()
            await schedule()
            committing += 1
            expect(committing).toBe(1)
            await breath()
            committed.push(...batch)
            committing -= 1
            started -= 1
          },
          isOver: () => false,
          signal: never,
        })
        const missing = Array.from({ length: 60 }, (_, i) => BigInt(i)).filter((block) => !done.has(Number(block)))
        expect(committed.sort((a, b) => Number(a - b))).toEqual(missing)
      },
    ),
  )
})

test('behavior: a commit is prepared while the previous commit runs', async () => {
  const seen: string[] = []
  await backfill<bigint[]>({
    gaps: [{ from: 0n, to: 2n }],
    inFlight: 3,
    width: () => 1n,
    read: reader(1n),
    async commit(range, _, schedule) {
      seen.push(`prepare ${range.from}`)
      await schedule()
      seen.push(`commit ${range.from}`)
      for (let i = 0; i < 5; i++) await breath()
      seen.push(`end ${range.from}`)
    },
    isOver: () => false,
    signal: never,
  })
  expect(seen).toEqual([
    ...['prepare 0', 'commit 0', 'prepare 1', 'end 0'],
    ...['commit 1', 'prepare 2', 'end 1'],
    ...['commit 2', 'end 2'],
  ])
})

test('error: the first error stops the other reads and is thrown once all have ended', async () => {
  let reading = 0
  const fault = new Error('the node is gone')
  const work = backfill<null>({
    gaps: [{ from: 0n, to: 999n }],
    inFlight: 4,
    width: () => 1n,
    async read(range, signal) {
      reading += 1
      await breath()
      reading -= 1
      if (range.from === 7n) throw fault
      signal.throwIfAborted()
      return { batch: null, to: range.to }
    },
    commit: async () => undefined,
    isOver: () => false,
    signal: never,
  })
  await expect(work).rejects.toBe(fault)
  expect(reading).toBe(0)
})

test('error: no commit follows a failed one, even if it is already prepared', async () => {
  const commits: bigint[] = []
  const work = backfill<bigint[]>({
    gaps: [{ from: 0n, to: 99n }],
    inFlight: 4,
    width: () => 1n,
    read: reader(1n),
    async commit(range, _, schedule) {
      await schedule()
      if (commits.length === 3) throw new RangeError(`block ${range.from}`)
      commits.push(range.from)
    },
    isOver: () => false,
    signal: never,
  })
  await expect(work).rejects.toBeInstanceOf(RangeError)
  expect(commits).toHaveLength(3)
})

test('behavior: no further read starts when the time slice is over', async () => {
  let committed = 0
  await backfill<bigint[]>({
    gaps: [{ from: 0n, to: 99n }],
    inFlight: 1,
    width: () => 1n,
    read: reader(1n),
    commit: async () => {
      committed += 1
    },
    isOver: () => committed === 5,
    signal: never,
  })
  expect(committed).toBe(5)
})

test('default: parses a PostgreSQL multirange into ranges', () => {
  expect(parseMultirange('{[5,10),[20,21)}')).toEqual([
    { from: 5n, to: 9n },
    { from: 20n, to: 20n },
  ])
  expect(parseMultirange('{}')).toEqual([])
})

test('behavior: a failed range ends the wait of ranges that have not started', async () => {
  let started = 0
  const failing = backfill({
    gaps: [{ from: 0n, to: 59n }],
    inFlight: 3,
    width: () => 10n,
    read: () => Promise.reject(new Error('the node is gone')),
    commit: () => Promise.resolve(),
    async schedule(work, signal) {
      if (started++ > 0) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return work()
    },
    isOver: () => false,
    signal: never,
  })
  await expect(failing).rejects.toThrow('the node is gone')
})

test('behavior: with `measures`, the first read runs alone, and its commit beside the next reads', async () => {
  const events: string[] = []
  const second = Promise.withResolvers<void>()
  await backfill({
    ...{ gaps: [{ from: 0n, to: 29n }], inFlight: 3, width: () => 10n, measures: true, isOver: () => false },
    async read({ from, to }) {
      events.push(`read ${from}`)
      if (from > 0n) second.resolve()
      await breath()
      if (from === 0n) events.push('answered')
      return { batch: undefined, to }
    },
    async commit({ from }, _, afterPrevious) {
      await second.promise
      await afterPrevious()
      events.push(`commit ${from}`)
    },
    signal: never,
  })
  expect(events.slice(0, 4)).toEqual(['read 0', 'answered', 'read 10', 'read 20'])
  expect(events.slice(4)).toEqual(['commit 0', 'commit 10', 'commit 20'])
})
