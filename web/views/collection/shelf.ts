import { type ReadonlySignal, signal } from '@preact/signals'
import type { ApiFault } from '../../api/apiFault.ts'

/** One page of a range, in list order. `cursor` null: the last page of the range. */
export type ShelfPage<T> = { items: readonly T[]; cursor: string | null }

/** Identifies a page: the first one of a range has no cursor. `ranges` 1: no split. */
export type PageName = { ranges: number; range: number; cursor: string | undefined }

export type ShelfOptions<T> = {
  /** How many items the list has. */
  total: number
  /** Reads a page and keeps it fresh until the returned function is called. `reported` gets the current error, or undefined. */
  watch(
    name: PageName,
    shown: (page: ShelfPage<T>) => void,
    reported: (fault: ApiFault | undefined) => void,
  ): () => void
}

/**
 * A long list that reads only its visible part. A cursor leads only to the next page, so the list is split into ranges of about equal size.
 * Any place then needs few requests. The size of a range is an estimate until it was read.
 */
export type Shelf<T> = {
  /** Incremented by every change. */
  version: ReadonlySignal<number>
  size(): number
  /** undefined: not read, or evicted. */
  at(index: number): T | undefined
  /** The error of a visible page, even if others succeed; undefined: no error. */
  fault(): ApiFault | undefined
  /** A position that stays with its item when the size of earlier ranges changes. */
  placeOf(index: number): Place
  indexOf(place: Place): number
  /** Reads missing items from `from` up to `to`, exclusive. Only these are kept fresh. */
  show(from: number, to: number): void
  /** The list has grown or shrunk: evicts invisible items and reads items that become visible. */
  setTotal(total: number): void
  close(): void
}

export type Place = { range: number; offset: number }

/** Maximum items on a page. */
export const shelfPageSize = 50
/** Mean items of a range: nearly every range is one page. */
const meanOfRange = 40
const mostRanges = 1_000
/** Up to this length a list is not split. */
const uncut = 200
/** Pages in memory: 5,000 small records. */
const mostPages = 100

export function rangesOf(total: number): number {
  return total <= uncut ? 1 : Math.min(mostRanges, Math.ceil(total / meanOfRange))
}

/** The lengths of the pages read of a range, and the cursor of each page after the first. */
type Range = { lengths: number[]; cursors: (string | undefined)[]; isWhole: boolean }

export function createShelf<T>({ total: firstTotal, watch }: ShelfOptions<T>): Shelf<T> {
  const ranges: Range[] = Array.from({ length: rangesOf(firstTotal) }, unread)
  const version = signal(0)
  const pages = new Map<string, readonly T[]>()
  const watched = new Map<string, () => void>()
  const faults = new Map<string, ApiFault>()
  let total = firstTotal
  let starts = startsOf(ranges, total)
  /** The visible items; the list may still be shorter. */
  let shown = { from: 0, to: 0 }

  function changed(): void {
    starts = startsOf(ranges, total)
    version.value++
  }

  function placeOf(index: number): Place {
    let [low, high] = [0, ranges.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (starts[middle]! <= index) low = middle
      else high = middle - 1
    }
    return { range: low, offset: index - starts[low]! }
  }

  /** Names of the visible pages whose cursors are known. */
  function wanted(): Set<string> {
    const names = new Set<string>()
    const { from } = shown
    const to = Math.min(shown.to, starts[ranges.length]!)
    if (to <= from) return names
    const [first, last] = [placeOf(from), placeOf(to - 1)]
    for (let range = first.range; range <= last.range; range++) {
      const { lengths, isWhole } = ranges[range]!
      const begin = range === first.range ? first.offset : 0
      const end = range === last.range ? last.offset : Number.POSITIVE_INFINITY
      let start = 0
      for (const [i, length] of lengths.entries()) {
        if (start <= end && start + length > begin) names.add(`${range}:${i}`)
        start += length
      }
      if (!isWhole && end >= start) names.add(`${range}:${lengths.length}`)
    }
    return names
  }

  function follow(): void {
    const names = wanted()
    for (const [name, stop] of watched)
      if (!names.has(name)) {
        watched.delete(name)
        reportFault(name, undefined)
        stop()
      }
    for (const name of names) if (!watched.has(name)) read(name)
  }

  function read(name: string): void {
    const [range, page] = name.split(':').map(Number) as [number, number]
    // Set first: a cached response is reported at once.
    watched.set(name, () => undefined)
    const cursor = ranges[range]!.cursors[page]
    const stop = watch(
      { ranges: ranges.length, range, cursor },
      (answer) => take(name, range, page, answer),
      (fault) => reportFault(name, fault),
    )
    if (watched.has(name)) watched.set(name, stop)
    else stop()
  }

  function reportFault(name: string, fault: ApiFault | undefined): void {
    if (faults.get(name) === fault) return
    if (fault) faults.set(name, fault)
    else faults.delete(name)
    version.value++
  }

  function take(name: string, range: number, page: number, { items, cursor }: ShelfPage<T>): void {
    const known = ranges[range]!
    known.lengths[page] = items.length
    known.cursors[page + 1] = cursor ?? undefined
    if (cursor === null) {
      known.lengths.length = page + 1
      known.isWhole = true
    } else known.isWhole &&= known.lengths.length > page + 1
    pages.delete(name)
    pages.set(name, items)
    forgetOldest()
    changed()
    follow()
  }

  function forgetOldest(): void {
    for (const name of pages.keys()) {
      if (pages.size <= mostPages) return
      if (!watched.has(name)) pages.delete(name)
    }
  }

  return {
    version,
    size: () => starts[ranges.length]!,
    at(index) {
      const { range, offset } = placeOf(index)
      let start = 0
      for (const [page, length] of ranges[range]!.lengths.entries()) {
        if (offset < start + length) return pages.get(`${range}:${page}`)?.[offset - start]
        start += length
      }
      return undefined
    },
    fault: () => faults.values().next().value,
    placeOf,
    indexOf({ range, offset }) {
      return Math.min(starts[range]! + offset, starts[range + 1]!)
    },
    show(from, to) {
      shown = { from: Math.max(0, from), to }
      follow()
    },
    setTotal(next) {
      if (next === total) return
      total = next
      const kept = new Set([...watched.keys()].map((name) => Number(name.split(':')[0])))
      for (const range of ranges.keys()) if (!kept.has(range)) ranges[range] = unread()
      for (const name of pages.keys()) if (!watched.has(name)) pages.delete(name)
      changed()
      follow()
    },
    close() {
      for (const stop of watched.values()) stop()
      watched.clear()
    },
  }
}

function unread(): Range {
  return { lengths: [], cursors: [], isWhole: false }
}

/** Index of the first item of each range, and the end of the last. Unread ranges share the remaining items equally. */
function startsOf(ranges: readonly Range[], total: number): number[] {
  const mean = total / ranges.length
  // A partly read range has at least one more item.
  const sizes = ranges.map(({ lengths, isWhole }) => {
    if (isWhole) return sumOf(lengths)
    return lengths.length > 0 ? Math.max(mean, sumOf(lengths) + 1) : null
  })
  const known = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
  const share = Math.max(0, total - known) / Math.max(1, sizes.filter((size) => size === null).length)
  const starts = [0]
  let at = 0
  for (const size of sizes) {
    at += size ?? share
    starts.push(Math.round(at))
  }
  return starts
}

function sumOf(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0)
}
