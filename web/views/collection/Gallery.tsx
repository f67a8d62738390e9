import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { get } from '../../api/apiCall.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Empty, Failed, Shown } from '../../parts/Shown.tsx'
import { useVirtualRows } from '../../parts/useVirtualRows.ts'
import { formatNumber } from '../../text/numbers.ts'
import { layOut } from './layOut.ts'
import type { Place } from './shelf.ts'
import { TokenCard } from './TokenCard.tsx'
import { type GalleryOf, useShelf } from './useShelf.ts'

/** A scroll through thousands asks for what it rests on that long, and now and then on its way. */
const restMs = 150
const wayMs = 600

/** The tokens of a collection as pictures, however many there are. */
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
        if (result.length === 0) return <Empty>No token is like that.</Empty>
        // Not counted in time: a guess, from which the pages lead to the end.
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

/** Where the page stood when a token was opened is kept in the history of the browser, for the way back. */
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
  const list = useRef<HTMLUListElement>(null)
  const [width, setWidth] = useState(0)
  const [focused, setFocused] = useState<number | null>(null)
  const { shelf, fault } = useShelf(of, total)
  const size = shelf.size()
  const { columns, cell, rowHeight, gap } = layOut(width)
  const { rows, height, topOf } = useVirtualRows(list, {
    count: width === 0 ? 0 : Math.ceil(size / columns),
    rowHeight,
    kept: focused === null ? null : Math.floor(focused / columns),
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

  const seen = rows.filter(({ index }) => focused === null || index !== Math.floor(focused / columns))
  const from = (seen[0]?.index ?? 0) * columns
  const to = seen.length === 0 ? 0 : ((seen.at(-1)?.index ?? 0) + 1) * columns
  useLook(shelf, from, to)
  useReturn(height > 0)
  useAnchor(shelf, { columns, rowHeight, list })

  const place = useCallback((index: number | null) => setFocused(index), [])
  const cards = rows.flatMap((row) =>
    Array.from({ length: Math.min(columns, size - row.index * columns) }, (_, column) => {
      const index = row.index * columns + column
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
      <ul ref={list} class="plain gallery" aria-label="Tokens" style={{ height: `${height}px` }}>
        {cards}
      </ul>
    </>
  )
}

function keepPlace(): void {
  window.history.replaceState({ galleryAt: window.scrollY }, '')
}

/** Has what is seen read: at once after a rest, then once the page rests, or now and then while it scrolls. */
function useLook(shelf: { show(from: number, to: number): void }, from: number, to: number): void {
  const last = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const since = performance.now() - last.current
    const look = () => {
      last.current = performance.now()
      shelf.show(from, to)
    }
    const timer = setTimeout(look, since > wayMs ? 0 : Math.min(restMs, wayMs - since))
    return () => clearTimeout(timer)
  }, [shelf, from, to])
}

/** Keeps the tokens that are seen where they are when a range before them turns out to have more or fewer than was thought. */
function useAnchor(
  shelf: { placeOf(index: number): Place; indexOf(place: Place): number },
  { columns, rowHeight, list }: { columns: number; rowHeight: number; list: { current: HTMLElement | null } },
): void {
  const kept = useRef<{ shelf: unknown; columns: number; place: Place; row: number } | null>(null)
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const before = kept.current
    if (before && before.shelf === shelf && before.columns === columns) {
      const row = Math.floor(shelf.indexOf(before.place) / columns)
      if (row !== before.row) window.scrollBy(0, (row - before.row) * rowHeight)
    }
    const row = Math.max(0, Math.floor(-element.getBoundingClientRect().top / rowHeight))
    kept.current = row === 0 ? null : { shelf, columns, place: shelf.placeOf(row * columns), row }
  })
}
