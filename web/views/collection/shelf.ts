import { type ReadonlySignal, signal } from '@preact/signals'
import type { ApiFault } from '../../api/apiFault.ts'

/** One page of a range, in the order of the list. `cursor` null: the range ends with it. */
export type ShelfPage<T> = { items: readonly T[]; cursor: string | null }

/** Names a page: the first one of a range has no cursor. `ranges` 1: the list is not cut. */
export type PageName = { ranges: number; range: number; cursor: string | undefined }

export type ShelfOptions<T> = {
  /** How many items the list has. */
  total: number
  /** Reads a page and keeps it fresh, until the function that this gives is called. `reported`: what is wrong since; undefined: nothing. */
  watch(
    name: PageName,
    shown: (page: ShelfPage<T>) => void,
    reported: (fault: ApiFault | undefined) => void,
  ): () => void
}

/**
 * A long list of which only what is seen is read. A cursor leads to the next page alone. So the list is cut into ranges of about equal size, and any
 * place needs one or a few requests. How many items a range has is an estimate until it was read.
 */
export type Shelf<T> = {
  /** Grows with every change. */
  version: ReadonlySignal<number>
  size(): number
  /** undefined: not read, or forgotten meanwhile. */
  at(index: number): T | undefined
  /** Why a page that is shown cannot be read, whatever becomes of the others; undefined: all are read. */
  fault(): ApiFault | undefined
  /** A place that stays with its item when the size of ranges before it turns out to be another one. */
  placeOf(index: number): Place
  indexOf(place: Place): number
  /** Reads what is missing from `from` up to, and without, `to`, and keeps it fresh; nothing else. */
  show(from: number, to: number): void
  /** The list has grown or shrunk: what is not shown is forgotten, and what comes to be shown is read. */
  setTotal(total: number): void
  close(): void
}

export type Place = { range: number; offset: number }

/** Most items on a page. */
export const shelfPageSize = 50
/** Items of a range, so that nearly every one is a single page. */
const meanOfRange = 40
const mostRanges = 1_000
/** A list that short is read page by page. */
const uncut = 200
/** Pages whose items are kept: 5,000 small records. */
const mostPages = 100

export function rangesOf(total: number): number {
  return total <= uncut ? 1 : Math.min(mostRanges, Math.ceil(total / meanOfRange))
}

/** Known facts of a range: how long its pages are that were read, and the cursor of each page after the first. */
type Range = { lengths: number[]; cursors: (string | undefined)[]; isWhole: boolean }

export function createShelf<T>({ total: firstTotal, watch }: ShelfOptions<T>): Shelf<T> {
  const ranges: Range[] = Array.from({ length: rangesOf(firstTotal) }, unread)
  const version = signal(0)
  const pages = new Map<string, readonly T[]>()
  const watched = new Map<string, () => void>()
  const faults = new Map<string, ApiFault>()
  let total = firstTotal
  let starts = startsOf(ranges, total)
  /** What is looked at, whether or not the list goes on that far yet. */
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

  /** Names of the pages that hold what is shown, as far as the cursor of a page is known. */
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
    // Set first: an answer that is there already is reported at once.
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

/** Index of the first item of each range, and at the end that behind the last one: those not read share what is left equally. */
function startsOf(ranges: readonly Range[], total: number): number[] {
  const mean = total / ranges.length
  // A range that was begun has one more at least.
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
