/** Layout of tokens in a gallery of a given width, all in pixels. */
export type Layout = { columns: number; cell: number; rowHeight: number; gap: number }

const gap = 12
/** Two lines below the image. */
const textHeight = 56
const smallest = { narrow: 112, wide: 168 }

export function layOut(width: number): Layout {
  const least = width < 480 ? smallest.narrow : smallest.wide
  const columns = Math.max(1, Math.floor((width + gap) / (least + gap)))
  const cell = Math.max(1, Math.floor((width - gap * (columns - 1)) / columns))
  return { columns, cell, rowHeight: cell + textHeight + gap, gap }
}

/** Maximum height of a list in pixels: browsers clip taller elements, the strictest at 17.8 million. */
const longest = 15_000_000

/** The rows of one part of a gallery that is too tall for browsers. */
export type Part = { firstRow: number; rows: number }

/** Splits all rows of a gallery into parts that browsers can show. */
export function partsOf(rows: number, rowHeight: number): Part[] {
  const most = Math.max(1, Math.floor(longest / rowHeight))
  const parts = Math.max(1, Math.ceil(rows / most))
  return Array.from({ length: parts }, (_, part) => ({
    firstRow: part * most,
    rows: Math.min(most, rows - part * most),
  }))
}
