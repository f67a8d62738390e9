import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Empty, Failed, Shown } from '../../parts/Shown.tsx'
import { useVirtualRows } from '../../parts/useVirtualRows.ts'
import { formatNumber } from '../../text/numbers.ts'
import { layOut, partsOf } from './layOut.ts'
import { PartLinks } from './PartLinks.tsx'
import { readProgress } from './readProgress.ts'
import type { Place } from './shelf.ts'
import { TokenCard } from './TokenCard.tsx'
import { type GalleryOf, useShelf } from './useShelf.ts'

/** Tokens are requested once scrolling rests for pauseMs, and every wayMs while it continues. */
const pauseMs = 150
const wayMs = 600

/** The tokens of a collection as images, for any number of tokens. */
export function Gallery(of: GalleryOf) {
  const { chain, address, block, traits } = of
  const head = usePolled(
    get('/api/v2/nft/{address}', {
      path: { address },
      query: {
        chain,
        limit: 1,
        disable_total: false,
        as_of_block: block,
        ...(traits.length > 0 && { traits: [...traits] }),
      },
    }),
    { everyMs: 2_000 },
  )
  return (
    <Shown of={head}>
      {({ total, result }) => {
        if (result.length === 0) return <Empty>{emptyMessage(of, readProgress(head.headers).status)}</Empty>
        // The count timed out: a guess, which pages correct.
        const known = total ?? 1_000
        return (
          <>
            <p class="hint" role="status">
              {total === null ? 'Many' : formatNumber(total)} {total === 1 ? 'token' : 'tokens'}
            </p>
            <Rows key={`${block} ${traits.join('\n')}`} of={of} total={known} />
          </>
        )
      }}
    </Shown>
  )
}

/** Why the list is empty. `status`: of the collection. */
function emptyMessage({ block, traits }: GalleryOf, status: string): string {
  if (traits.length > 0) return 'No matching tokens.'
  if (block !== undefined) return 'No tokens at the end of this block.'
  if (status === 'queued') return 'Queued: the history is not read yet.'
  if (status === 'syncing') return 'No tokens so far: the history is being read.'
  if (status === 'failed') return 'No tokens known: indexing failed.'
  return 'No tokens: none exist now, or the contract is not an NFT contract.'
}

/** Restores the scroll position that the browser's history stored when a token was opened. */
function useReturn(isReady: boolean): void {
  const done = useRef(false)
  useLayoutEffect(() => {
    if (!isReady || done.current) return
    done.current = true
    const kept: unknown = window.history.state?.galleryAt
    if (typeof kept === 'number') window.scrollTo(0, kept)
  }, [isReady])
}

function Rows({ of, total }: { of: GalleryOf; total: number }) {
  const { router } = useServices()
  const list = useRef<HTMLUListElement>(null)
  const [width, setWidth] = useState(0)
  const [focused, setFocused] = useState<number | null>(null)
  const shelf = useShelf(of, total)
  const [size, fault] = [shelf.size(), shelf.fault()]
  const { columns, cell, rowHeight, gap } = layOut(width)
  const parts = partsOf(width === 0 ? 0 : Math.ceil(size / columns), rowHeight)
  const requested = Number(router.place.value.query.get('part') ?? 1) - 1
  const part = Math.max(0, Math.min(parts.length - 1, Number.isInteger(requested) ? requested : 0))
  const { firstRow, rows: count } = parts[part]!
  const keptRow = focused === null ? null : Math.floor(focused / columns) - firstRow
  const { rows, height, topOf } = useVirtualRows(list, {
    count,
    rowHeight,
    kept: keptRow !== null && keptRow >= 0 ? keptRow : null,
  })

  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    const resized = new ResizeObserver(measure)
    measure()
    resized.observe(element)
    return () => resized.disconnect()
  }, [])

  const seen = rows.filter(({ index }) => index !== keptRow)
  const from = (firstRow + (seen[0]?.index ?? 0)) * columns
  const to = seen.length === 0 ? from : (firstRow + (seen.at(-1)?.index ?? 0) + 1) * columns
  useLook(shelf, from, to)
  useReturn(height > 0)
  useAnchor(shelf, { columns, rowHeight, firstRow, list })
  usePartTop(list, firstRow)

  const place = useCallback((index: number | null) => setFocused(index), [])
  const cards = rows.flatMap((row) =>
    Array.from({ length: Math.min(columns, size - (firstRow + row.index) * columns) }, (_, column) => {
      const index = (firstRow + row.index) * columns + column
      const across = column * (cell + gap)
      return (
        <li
          key={index}
          aria-setsize={size}
          aria-posinset={index + 1}
          style={{
            width: `${cell}px`,
            height: `${rowHeight - gap}px`,
            transform: `translate(${across}px, ${topOf(row)}px)`,
          }}
          onClickCapture={keepPlace}
          onFocusCapture={() => place(index)}
          onBlurCapture={() => place(null)}
        >
          <TokenCard of={of} token={shelf.at(index)} />
        </li>
      )
    }),
  )
  return (
    <>
      {fault && <Failed fault={fault} />}
      <PartLinks parts={parts} shown={part} columns={columns} size={size} />
      <ul ref={list} class="plain gallery" aria-label="Tokens" style={{ height: `${height}px` }}>
        {cards}
      </ul>
    </>
  )
}

function keepPlace(): void {
  window.history.replaceState({ galleryAt: window.scrollY }, '')
}

/** Loads visible tokens: at once after a rest, when scrolling rests, or at intervals while it continues. */
function useLook(shelf: { show(from: number, to: number): void }, from: number, to: number): void {
  const last = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const since = performance.now() - last.current
    const look = () => {
      last.current = performance.now()
      shelf.show(from, to)
    }
    const timer = setTimeout(look, since > wayMs ? 0 : Math.min(pauseMs, wayMs - since))
    return () => clearTimeout(timer)
  }, [shelf, from, to])
}

/** Scrolls to the top when the part changes. */
function usePartTop(list: { current: HTMLElement | null }, firstRow: number): void {
  const before = useRef(firstRow)
  useLayoutEffect(() => {
    if (before.current !== firstRow) list.current?.scrollIntoView()
    before.current = firstRow
  }, [firstRow, list])
}

/** Keeps visible tokens in place when an earlier range has more or fewer items than estimated. */
function useAnchor(
  shelf: { placeOf(index: number): Place; indexOf(place: Place): number },
  {
    columns,
    rowHeight,
    firstRow,
    list,
  }: { columns: number; rowHeight: number; firstRow: number; list: { current: HTMLElement | null } },
): void {
  const kept = useRef<{ shelf: unknown; columns: number; firstRow: number; place: Place; row: number } | null>(null)
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const before = kept.current
    if (before && before.shelf === shelf && before.columns === columns && before.firstRow === firstRow) {
      const row = Math.floor(shelf.indexOf(before.place) / columns) - firstRow
      if (row !== before.row) window.scrollBy(0, (row - before.row) * rowHeight)
    }
    const row = Math.max(0, Math.floor(-element.getBoundingClientRect().top / rowHeight))
    const place = shelf.placeOf((firstRow + row) * columns)
    kept.current = row === 0 ? null : { shelf, columns, firstRow, place, row }
  })
}
