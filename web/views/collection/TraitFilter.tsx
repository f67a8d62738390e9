import { type components, get } from '../../api/apiCall.ts'
import { usePages } from '../../context/usePages.ts'
import { Card } from '../../parts/Card.tsx'
import { More } from '../../parts/More.tsx'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { formatNumber } from '../../text/numbers.ts'
import { writeTrait } from './traitText.ts'

type Trait = components['schemas']['NftTrait']

/** Limit of traits in a request. */
const mostChosen = 20

/** The traits of the collection by type, with their token counts. */
export function TraitFilter({
  chain,
  address,
  chosen,
  choose,
}: {
  chain: string
  address: string
  /** In the format of the parameter `traits`. */
  chosen: readonly string[]
  choose(traits: readonly string[]): void
}) {
  const traits = usePages(
    (cursor) => get('/api/v2/nft/{address}/traits', { path: { address }, query: { chain, cursor } }),
    { everyMs: 15_000 },
  )
  const toggle = (trait: string) =>
    choose(chosen.includes(trait) ? chosen.filter((other) => other !== trait) : [...chosen, trait])
  return (
    <Card title="Traits">
      <Shown of={traits.first}>
        {() => {
          const groups = Map.groupBy(
            traits.pages.flatMap(({ result }) => result),
            ({ trait_type }) => trait_type ?? '',
          )
          if (groups.size === 0) return <Empty>No metadata with traits yet.</Empty>
          return (
            <>
              <div class="traits">
                {[...groups].map(([type, values]) => (
                  <TraitGroup key={type} type={type} values={values} chosen={chosen} toggle={toggle} />
                ))}
              </div>
              <More of={traits} />
              {chosen.length >= mostChosen && <p class="hint">At most {mostChosen} traits can be chosen.</p>}
            </>
          )
        }}
      </Shown>
    </Card>
  )
}

function TraitGroup({
  type,
  values,
  chosen,
  toggle,
}: {
  type: string
  values: readonly Trait[]
  chosen: readonly string[]
  toggle(trait: string): void
}) {
  const own = values.map((trait) => ({ ...trait, text: writeTrait(trait.trait_type, trait.value) }))
  const count = own.filter(({ text }) => chosen.includes(text)).length
  return (
    <details open={count > 0}>
      <summary>
        <bdi class="clipped">{type || 'no type'}</bdi>{' '}
        <span class="hint">{count > 0 ? `${count} of ${values.length}` : values.length}</span>
      </summary>
      <ul class="plain">
        {own.map(({ text, value, count: tokens, percentage }) => (
          <li key={text}>
            <label class="check">
              <input
                type="checkbox"
                checked={chosen.includes(text)}
                disabled={!chosen.includes(text) && chosen.length >= mostChosen}
                onChange={() => toggle(text)}
              />
              <bdi class="clipped">{String(value)}</bdi>
              <span class="hint" title={`${percentage} %`}>
                {formatNumber(tokens)}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </details>
  )
}
