/** How tokens stand in a gallery of a width, all in pixels. */
export type Layout = { columns: number; cell: number; rowHeight: number; gap: number }

const gap = 12
/** Two lines below the picture. */
const wordsHeight = 56
const smallest = { narrow: 112, wide: 168 }

export function layOut(width: number): Layout {
  const least = width < 480 ? smallest.narrow : smallest.wide
  const columns = Math.max(1, Math.floor((width + gap) / (least + gap)))
  const cell = Math.max(1, Math.floor((width - gap * (columns - 1)) / columns))
  return { columns, cell, rowHeight: cell + wordsHeight + gap, gap }
}
