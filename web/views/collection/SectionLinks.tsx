import { withQuery } from '../../context/router.ts'
import { useServices } from '../../context/services.ts'
import { Link } from '../../parts/Link.tsx'

const sections = {
  tokens: 'Tokens',
  owners: 'Owners',
  transfers: 'Transfers',
  snapshot: 'Snapshot',
  about: 'About',
} as const

export type Section = keyof typeof sections

export function isSection(text: string | null): text is Section {
  return text !== null && Object.hasOwn(sections, text)
}

/** Links to the sections of a collection; the block stays, filters and pages do not. */
export function SectionLinks({ section }: { section: Section }) {
  const { router } = useServices()
  const { path, query } = router.place.value
  const to = (name: Section) => {
    const next = new URLSearchParams()
    if (name !== 'tokens') next.set('show', name)
    const block = query.get('block')
    if (block !== null) next.set('block', block)
    return withQuery(path, next)
  }
  return (
    <nav class="sections" aria-label="Sections of the collection">
      <ul class="plain">
        {(Object.keys(sections) as Section[]).map((name) => (
          <li key={name}>
            <Link to={to(name)} {...(name === section && { 'aria-current': 'page' })}>
              {sections[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
