import {
  defaultRangeExtractor,
  observeWindowOffset,
  observeWindowRect,
  type Range,
  type VirtualItem,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useLayoutEffect, useReducer, useState } from 'preact/hooks'

export type VirtualRowsOptions = {
  count: number
  /** All rows have the same height. */
  rowHeight: number
  /** Rows above and below the visible ones. */
  overscan?: number
  /** A row that is always rendered: that with the focus. */
  kept?: number | null
}

export type VirtualRows = {
  rows: readonly VirtualItem[]
  /** Height of all rows. */
  height: number
  /** Offset of a row from the top of the list. */
  topOf(row: VirtualItem): number
}

/** The visible rows of a list that scrolls with the page, and some around them. */
export function useVirtualRows(
  place: RefObject<HTMLElement | null>,
  { count, rowHeight, overscan = 3, kept = null }: VirtualRowsOptions,
): VirtualRows {
  const [, render] = useReducer((changes: number) => changes + 1, 0)
  const [margin, setMargin] = useState(0)
  const options = {
    count,
    overscan,
    scrollMargin: margin,
    estimateSize: () => rowHeight,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialOffset: () => window.scrollY,
    rangeExtractor: (range: Range) => withKept(defaultRangeExtractor(range), kept, range.count),
    onChange: () => render(undefined),
  }
  const [virtualizer] = useState(() => new Virtualizer<Window, HTMLElement>(options))
  virtualizer.setOptions(options)
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  // The content above the list may have changed its height.
  useLayoutEffect(() => {
    const top = place.current ? Math.round(place.current.getBoundingClientRect().top + window.scrollY) : 0
    if (top !== margin) setMargin(top)
  })
  return {
    rows: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    topOf: ({ start }) => start - margin,
  }
}

function withKept(rows: number[], kept: number | null, count: number): number[] {
  if (kept === null || kept >= count || rows.includes(kept)) return rows
  return [...rows, kept].sort((a, b) => a - b)
}
