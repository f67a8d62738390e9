import { expect, test } from 'vitest'
import { ApiFault } from '../../api/apiFault.ts'
import { createShelf, type PageName, rangesOf, type Shelf, shelfPageSize } from './shelf.ts'

/** A list of numbers in ranges of unequal size, as ranges of hashes are. */
function listOf(total: number, sizeOf: (range: number, mean: number) => number = (_, mean) => mean) {
  const count = rangesOf(total)
  const starts = [0]
  for (let range = 0; range < count; range++) starts.push(starts[range]! + sizeOf(range, total / count))
  const requested: string[] = []
  const watched = new Set<PageName>()
  const watch = (name: PageName, shown: (page: { items: number[]; cursor: string | null }) => void) => {
    watched.add(name)
    requested.push(`${name.range}/${name.ranges} ${name.cursor ?? ''}`.trim())
    const begin = starts[name.range]! + Number(name.cursor ?? 0)
    const end = Math.min(begin + shelfPageSize, starts[name.range + 1]!)
    const items = Array.from({ length: end - begin }, (_, i) => begin + i)
    const isLast = end === starts[name.range + 1]
    void Promise.resolve().then(() => {
      if (watched.has(name)) shown({ items, cursor: isLast ? null : String(end - starts[name.range]!) })
    })
    return () => void watched.delete(name)
  }
  return { watch, requested, watched, size: starts[count]! }
}

/** Responses of the list above arrive within microtasks. */
async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await undefined
}
const shown = (shelf: Shelf<number>, from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => shelf.at(from + i))

test('default: a short list is read page by page, up to the visible rows', async () => {
  const { watch, requested } = listOf(120)
  const shelf = createShelf({ total: 120, watch })
  expect(shelf.size()).toBe(120)
  shelf.show(0, 20)
  await settled()
  expect(shown(shelf, 0, 20)).toEqual(Array.from({ length: 20 }, (_, i) => i))
  expect(requested).toEqual(['0/1'])
  shelf.show(110, 200)
  await settled()
  expect(shown(shelf, 110, 120)).toEqual(Array.from({ length: 10 }, (_, i) => 110 + i))
  expect(requested).toEqual(['0/1', '0/1 50', '0/1 100'])
})

test('behavior: any position of a long list takes one or two requests, and hidden parts are no longer requested', async () => {
  const { watch, requested, watched } = listOf(100_000)
  const shelf = createShelf({ total: 100_000, watch })
  shelf.show(70_040, 70_060)
  expect(watched.size).toBe(1)
  await settled()
  expect(shown(shelf, 70_040, 70_060)).toEqual(Array.from({ length: 20 }, (_, i) => 70_040 + i))
  expect(requested).toEqual(['700/1000', '700/1000 50'])
  shelf.show(99_990, 100_000)
  shelf.show(5, 15)
  await settled()
  expect(watched.size).toBe(1)
  expect(shelf.at(5)).toBe(5)
  expect(shelf.at(99_995)).toBeUndefined()
})

test('behavior: scrolling from end to end shows every item once, for any sizes of ranges', async () => {
  for (const total of [201, 1_000, 4_321]) {
    const { watch, size } = listOf(total, (range, mean) => Math.floor(mean * [0, 3.1, 0.2, 1, 0.7][range % 5]!))
    const shelf = createShelf({ total, watch })
    const seen: (number | undefined)[] = []
    for (let from = 0; from < shelf.size(); from += 7) {
      shelf.show(from, from + 7)
      await settled()
      for (let i = from; i < Math.min(from + 7, shelf.size()); i++) seen.push(shelf.at(i))
    }
    expect(seen).toEqual(Array.from({ length: size }, (_, i) => i))
  }
})

test('behavior: an item keeps its position when an earlier range differs from its estimated size', async () => {
  const { watch } = listOf(10_000, (range) => (range === 99 ? 11 : range === 0 ? 69 : 40))
  const shelf = createShelf({ total: 10_000, watch })
  const index = 4_005
  shelf.show(index, index + 5)
  await settled()
  const place = shelf.placeOf(index)
  const item = shelf.at(index)
  shelf.show(index - 45, index)
  await settled()
  expect(shelf.at(shelf.indexOf(place))).toBe(item)
  expect(shelf.indexOf(place)).not.toBe(index)
})

test('behavior: only a bounded number of pages is kept in memory', async () => {
  const { watch } = listOf(100_000)
  const shelf = createShelf({ total: 100_000, watch })
  for (let from = 0; from < 20_000; from += 50) {
    shelf.show(from, from + 50)
    await settled()
  }
  const kept = shown(shelf, 0, 20_000).filter((item) => item !== undefined).length
  expect(kept).toBeLessThanOrEqual(5_000)
  expect(kept).toBeGreaterThan(4_000)
})

test('behavior: after the list grows, hidden items are read again', async () => {
  const list = listOf(1_000)
  const shelf = createShelf({ total: 1_000, watch: list.watch })
  shelf.show(0, 10)
  await settled()
  shelf.show(500, 510)
  await settled()
  const place = shelf.placeOf(505)
  shelf.setTotal(1_100)
  expect(shelf.at(shelf.indexOf(place))).toBe(505)
  expect(shelf.at(5)).toBeUndefined()
  expect(shelf.size()).toBe(1_100)
  shelf.close()
  expect(list.watched.size).toBe(0)
})

test('behavior: a new item at the end of the visible rows is read without scrolling', async () => {
  let total = shelfPageSize
  let reportAgain = () => {}
  const watch = (name: PageName, report: (page: { items: number[]; cursor: string | null }) => void) => {
    const begin = Number(name.cursor ?? 0)
    const answer = () => {
      const end = Math.min(begin + shelfPageSize, total)
      const items = Array.from({ length: end - begin }, (_, i) => begin + i)
      report({ items, cursor: end < total ? String(end) : null })
    }
    if (begin === 0) reportAgain = answer
    void Promise.resolve().then(answer)
    return () => undefined
  }
  const shelf = createShelf({ total, watch })
  // The last row is not full, so the visible range stays the same.
  shelf.show(0, 56)
  await settled()
  expect(shelf.at(49)).toBe(49)
  total++
  reportAgain()
  shelf.setTotal(total)
  await settled()
  expect(shelf.at(50)).toBe(50)
})

test('behavior: after the list grows, tokens that move into view are read', async () => {
  const list = listOf(1_000)
  const shelf = createShelf({ total: 1_000, watch: list.watch })
  for (let from = 0; from < 500; from += 50) {
    shelf.show(from, from + 50)
    await settled()
  }
  shelf.show(500, 520)
  await settled()
  shelf.setTotal(1_200)
  await settled()
  expect(shown(shelf, 500, 520)).not.toContain(undefined)
})

test('error: an unreadable page stays reported while others are read, until it is read or no longer visible', async () => {
  const { watch } = listOf(1_000)
  const lost = new ApiFault('no part of this', { status: 500 })
  const reports: ((fault: ApiFault | undefined) => void)[] = []
  const shelf = createShelf<number>({
    total: 1_000,
    watch(name, shown, reported) {
      reports[name.range] = reported
      return watch(name, shown)
    },
  })
  shelf.show(0, 60)
  reports[0]!(lost)
  reports[1]!(undefined)
  expect(shelf.fault()).toBe(lost)
  reports[0]!(undefined)
  expect(shelf.fault()).toBeUndefined()
  reports[0]!(lost)
  shelf.show(500, 520)
  expect(shelf.fault()).toBeUndefined()
})

test('behavior: empty pages with a cursor are skipped', async () => {
  const watch = (name: PageName, report: (page: { items: number[]; cursor: string | null }) => void) => {
    const page = Number(name.cursor ?? 0)
    void Promise.resolve().then(() =>
      report({ items: page % 2 ? [page] : [], cursor: page < 5 ? String(page + 1) : null }),
    )
    return () => undefined
  }
  const shelf = createShelf({ total: 3, watch })
  shelf.show(0, 3)
  await settled()
  expect(shown(shelf, 0, 3)).toEqual([1, 3, 5])
})
