import { withQuery } from '../../context/router.ts'
import { useServices } from '../../context/services.ts'
import { Link } from '../../parts/Link.tsx'
import { formatNumber } from '../../text/numbers.ts'
import type { Part } from './layOut.ts'

/** Links to the parts of a gallery that is too tall for browsers, else nothing. */
export function PartLinks({
  parts,
  shown,
  columns,
  size,
}: {
  parts: readonly Part[]
  shown: number
  columns: number
  size: number
}) {
  const { router } = useServices()
  if (parts.length === 1) return null
  const { path, query } = router.place.value
  const to = (part: number) => {
    const next = new URLSearchParams(query)
    next.set('part', String(part + 1))
    return withQuery(path, next)
  }
  return (
    <nav class="actions" aria-label="Parts of the list">
      {parts.map(({ firstRow, rows }, part) => (
        <Link key={firstRow} class="button" to={to(part)} {...(part === shown && { 'aria-current': 'page' })}>
          {formatNumber(firstRow * columns + 1)} to {formatNumber(Math.min(size, (firstRow + rows) * columns))}
        </Link>
      ))}
    </nav>
  )
}
