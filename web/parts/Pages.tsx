import { withQuery } from '../context/router.ts'
import { useServices } from '../context/services.ts'
import { Link } from './Link.tsx'

/** Links to the first and next page of a list. The address has the position as `cursor`. `next` null: this is the last page. */
export function Pages({ next }: { next: string | null }) {
  const { router } = useServices()
  const { path, query } = router.place.value
  if (next === null && !query.has('cursor')) return null
  const to = (cursor: string | null) => {
    const place = new URLSearchParams(query)
    if (cursor === null) place.delete('cursor')
    else place.set('cursor', cursor)
    return withQuery(path, place)
  }
  return (
    <nav class="actions" aria-label="Pages">
      {query.has('cursor') && (
        <Link class="button" to={to(null)}>
          First page
        </Link>
      )}
      {next !== null && (
        <Link class="button" to={to(next)}>
          Next page
        </Link>
      )}
    </nav>
  )
}
