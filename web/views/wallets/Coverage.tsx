import { useServices } from '../../context/services.ts'
import type { UsedPoll } from '../../context/usePolled.ts'
import { Badge, type BadgeKind } from '../../parts/Badge.tsx'
import { formatNumber } from '../../text/numbers.ts'
import { WalletActions } from './WalletActions.tsx'

const kinds: Record<string, BadgeKind> = { synced: 'good', syncing: 'busy', queued: 'busy', failed: 'bad' }

type EmptyList = { first: Pick<UsedPoll<unknown>, 'headers'>; more: (() => void) | undefined }

/** Text of an empty list of a wallet, by coverage. */
export function emptyMessage(what: 'tokens' | 'transfers', { first, more }: EmptyList) {
  const isSoFar = more !== undefined || first.headers?.get('x-index-status') !== 'synced'
  const isWhole = first.headers?.get('x-index-scope') === 'chain'
  return `No ${what}${isWhole ? '' : ' of indexed collections'}${isSoFar ? ' so far' : ''}.`
}

/** Coverage of a response about a wallet: all contracts of the chain, or its indexed collections. */
export function Coverage({
  of: { headers, again },
  chain,
  wallet,
}: {
  of: Pick<UsedPoll<unknown>, 'headers' | 'again'>
  chain: string
  wallet: string
}) {
  const { access } = useServices()
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
  const isWhole = headers.get('x-index-scope') === 'chain'
  const progress = headers.get('x-index-progress')
  const notes = [headers.get('x-index-failure'), headers.get('x-index-incomplete')].filter((note) => note !== null)
  return (
    <div class="covered">
      <p>
        <Badge kind={kinds[status] ?? 'plain'}>{status}</Badge>{' '}
        {isWhole
          ? 'All contracts of the chain'
          : `${collections ?? '0'} indexed ${collections === '1' ? 'collection' : 'collections'}`}
        {isWhole && status !== 'synced' && progress !== null && `, ${Math.floor(Number(progress) * 100)} % read`}
        {to !== null && `, up to block ${to}${head === null ? '' : ` of ${head}`}`}.
      </p>
      {notes.map((note) => (
        <p key={note} class="hint">
          <bdi>{note}</bdi>
        </p>
      ))}
      {isWhole && access.value === 'admin' && <WalletActions wallet={{ chain, address: wallet }} changed={again} />}
    </div>
  )
}
