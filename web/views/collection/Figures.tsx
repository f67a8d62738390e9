import { type components, get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Badge, type BadgeKind } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { Link } from '../../parts/Link.tsx'
import { Progress } from '../../parts/Progress.tsx'
import { collectionPath } from '../../parts/paths.ts'
import { Stats } from '../../parts/Stats.tsx'
import { formatNumber, formatShare, formatShort } from '../../text/numbers.ts'
import { formatDuration } from '../../text/times.ts'
import type { IndexProgress } from './readProgress.ts'

type Contract = components['schemas']['NftContract']

const kinds: Record<string, BadgeKind> = { synced: 'good', syncing: 'busy', queued: 'busy', failed: 'bad' }

/** The collection's type, counts and indexing progress. */
export function Figures({
  chain,
  address,
  total,
  progress,
  contract,
}: {
  chain: string
  address: string
  total: number | null
  progress: IndexProgress
  contract: Contract | undefined
}) {
  const { access } = useServices()
  const stats = usePolled(get('/api/v2/nft/{address}/stats', { path: { address }, query: { chain } }))
  const { status, share, metadataShare, fromBlock, toBlock, lag, failure, incomplete } = progress
  const isGrowing = status === 'syncing' || status === 'queued'
  return (
    <Card
      title="Current state"
      actions={
        <span class="badges">
          <Badge kind={kinds[status] ?? 'plain'}>{status}</Badge>
          {contract?.contract_type && <Badge>{contract.contract_type}</Badge>}
          {contract?.possible_spam && <Badge kind="warn">spam</Badge>}
          {contract?.verified_collection && <Badge kind="good">verified</Badge>}
        </span>
      }
    >
      {isGrowing && (
        <p class="growing">
          <Progress share={share} label="History of the collection" /> <Rate chain={chain} address={address} />
        </p>
      )}
      {failure && (
        <div class="failed">
          <p>
            <bdi>{failure}</bdi>
          </p>
          {access.value === 'admin' && (
            <Link to={`${collectionPath(chain, address)}?show=about`}>Show next attempt</Link>
          )}
        </div>
      )}
      {incomplete && (
        <p class="failed">
          Omitted: <bdi>{incomplete}</bdi>
        </p>
      )}
      <Stats
        of={[
          { name: 'Tokens', value: total === null ? '–' : formatNumber(total) },
          { name: 'Owners', value: stats.data ? formatNumber(stats.data.owners.current) : '–' },
          { name: 'Transfers', value: stats.data ? formatNumber(stats.data.transfers.total) : '–' },
          { name: 'Metadata', value: formatShare(metadataShare), hint: 'fetched or failed' },
          {
            name: 'Up to block',
            value: toBlock === null ? '–' : formatNumber(toBlock),
            hint: fromBlock === null ? undefined : `from ${formatNumber(fromBlock)}`,
          },
          { name: 'Lag', value: lag === null ? '–' : formatNumber(lag), hint: 'blocks' },
        ]}
      />
    </Card>
  )
}

/** The reading rate of history, for admin keys. */
function Rate(of: { chain: string; address: string }) {
  const { access } = useServices()
  return access.value === 'admin' ? <KnownRate {...of} /> : null
}

function KnownRate({ chain, address }: { chain: string; address: string }) {
  const { data } = usePolled(get('/admin/collections/{chain}/{address}', { path: { chain, address } }), {
    everyMs: 2_000,
  })
  if (!data || data.blocksPerSecond === null) return null
  return (
    <span class="hint">
      {formatShort(data.blocksPerSecond)} blocks per second
      {data.secondsLeft !== null && `, ${formatDuration(data.secondsLeft)} left`}
    </span>
  )
}
