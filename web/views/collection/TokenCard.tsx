import { Link } from '../../parts/Link.tsx'
import { Preview } from '../../parts/Preview.tsx'
import { tokenPath } from '../../parts/paths.ts'
import { shorten, visibleName } from '../../text/shorten.ts'
import type { GalleryOf, ShelvedToken } from './useShelf.ts'

/** A token in the gallery. `token` undefined: loading. */
export function TokenCard({
  of: { chain, address, block },
  token,
}: {
  of: GalleryOf
  token: ShelvedToken | undefined
}) {
  if (!token) return <div class="token-card waiting" aria-busy="true" />
  const { id, preview, withoutPreview } = token
  const name = visibleName(token.name)
  const number = `#${shorten(id, { head: 8, tail: 4 })}`
  const path = tokenPath(chain, address, id)
  return (
    <Link class="token-card" to={block === undefined ? path : `${path}?block=${block}`}>
      <span class="picture">
        <Preview url={preview} alt="" size={250} />
        {!preview && (
          <span class="hint" aria-hidden="true">
            {withoutPreview}
          </span>
        )}
      </span>
      <span class="words">
        <strong>
          <bdi>{name ?? number}</bdi>
        </strong>
        {name && <span class="hint">{number}</span>}
      </span>
    </Link>
  )
}
