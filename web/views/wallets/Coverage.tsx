import { Badge, type BadgeKind } from '../../parts/Badge.tsx'
import { formatNumber } from '../../text/numbers.ts'

const kinds: Record<string, BadgeKind> = { synced: 'good', syncing: 'busy', queued: 'busy', failed: 'bad' }

/** How far an answer about a wallet is covered: only collections that are indexed can be told of. */
export function Coverage({ headers }: { headers: Headers | undefined }) {
  if (!headers) return null
  const status = headers.get('x-index-status') ?? 'unknown'
  const number = (name: string) => {
    const value = headers.get(name)
    return value !== null && /^\d+$/.test(value) ? formatNumber(value) : null
  }
  const [collections, to, head] = [
    number('x-index-collections'),
    number('x-index-to-block'),
    number('x-index-head-block'),
  ]
  const incomplete = headers.get('x-index-incomplete')
  return (
    <div class="covered">
      <p>
        <Badge kind={kinds[status] ?? 'plain'}>{status}</Badge> {collections ?? '0'}{' '}
        {collections === '1' ? 'collection is' : 'collections are'} covered
        {to !== null && `, up to block ${to}`}
        {head !== null && ` of ${head}`}.
      </p>
      {incomplete && (
        <p class="hint">
          <bdi>{incomplete}</bdi>
        </p>
      )}
    </div>
  )
}
