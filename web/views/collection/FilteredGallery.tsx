import { withQuery } from '../../context/router.ts'
import { useServices } from '../../context/services.ts'
import { Card } from '../../parts/Card.tsx'
import { Gallery } from './Gallery.tsx'
import { TraitFilter } from './TraitFilter.tsx'
import { readTrait } from './traitText.ts'

/** All tokens, or those with the traits of the URL. Traits of earlier blocks are not stored. */
export function FilteredGallery({
  chain,
  address,
  block,
  query,
}: {
  chain: string
  address: string
  block: string | undefined
  query: URLSearchParams
}) {
  const { router } = useServices()
  const traits = block === undefined ? query.getAll('trait') : []
  const choose = (next: readonly string[]) => {
    const changed = new URLSearchParams(query)
    changed.delete('trait')
    // Another list has other parts.
    changed.delete('part')
    for (const trait of next) changed.append('trait', trait)
    const { path } = router.place.value
    router.go(withQuery(path, changed), { replace: true })
  }
  return (
    <div class="filtered">
      {block === undefined ? (
        <TraitFilter chain={chain} address={address} chosen={traits} choose={choose} />
      ) : (
        <p class="hint">Traits describe the current state. To filter by traits, select “Now”.</p>
      )}
      <Card title={traits.length > 0 ? 'Tokens with these traits' : 'Tokens'}>
        {traits.length > 0 && (
          <ul class="plain chosen" aria-label="Chosen traits">
            {traits.map((trait) => {
              const { type, value } = readTrait(trait)
              return (
                <li key={trait}>
                  <button
                    type="button"
                    aria-label={`Remove ${type}: ${value}`}
                    onClick={() => choose(traits.filter((other) => other !== trait))}
                  >
                    <bdi class="clipped">{type}</bdi> <bdi class="clipped">{value}</bdi>{' '}
                    <span aria-hidden="true">✕</span>
                  </button>
                </li>
              )
            })}
            {traits.length > 1 && (
              <li>
                <button type="button" class="quiet" onClick={() => choose([])}>
                  Clear traits
                </button>
              </li>
            )}
          </ul>
        )}
        <Gallery chain={chain} address={address} block={block} traits={traits} />
      </Card>
    </div>
  )
}
