import { type components, get } from '../../api/apiCall.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Badge, type BadgeKind } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { collectionStatus } from '../../parts/CollectionBadge.tsx'
import { Link } from '../../parts/Link.tsx'
import { Progress } from '../../parts/Progress.tsx'
import { collectionPath } from '../../parts/paths.ts'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatNumber, formatShort } from '../../text/numbers.ts'
import { nameOrAddress } from '../../text/shorten.ts'
import { formatDuration } from '../../text/times.ts'

type Collection = components['schemas']['AdminCollection']

const kinds: Record<string, BadgeKind> = { live: 'good', syncing: 'busy', queued: 'plain', failed: 'bad' }

/** Collections whose history is being read, and the counts by status. */
export function Indexing({ counts }: { counts: Record<string, number> | null }) {
  const syncing = usePolled(get('/admin/collections', { query: { status: 'syncing', limit: 25 } }), { everyMs: 2_000 })
  return (
    <Card
      title="Indexing now"
      wide
      actions={Object.entries(counts ?? {}).map(([status, count]) => (
        <Link key={status} to={`/collections?status=${status}`}>
          <Badge kind={kinds[status] ?? 'plain'}>
            {formatNumber(count)} {collectionStatus(status)}
          </Badge>
        </Link>
      ))}
    >
      <Shown of={syncing}>
        {({ result }) =>
          result.length === 0 ? (
            <Empty>No collection is being indexed.</Empty>
          ) : (
            <Table caption="Collections being indexed" rows={result} keyOf={keyOf} columns={columns} />
          )
        }
      </Shown>
    </Card>
  )
}

const keyOf = ({ chainId, address }: Collection) => `${chainId} ${address}`

const columns = [
  {
    name: 'Collection',
    cell: ({ chain, address, name }: Collection) => (
      <Link to={collectionPath(chain, address)}>
        <bdi class="clipped">{nameOrAddress(name, address)}</bdi>
      </Link>
    ),
  },
  { name: 'Chain', cell: ({ chain }: Collection) => chain },
  {
    name: 'History',
    cell: ({ progress, name, address }: Collection) => (
      <Progress share={progress} label={`History of ${nameOrAddress(name, address)}`} />
    ),
  },
  {
    name: 'Blocks per second',
    number: true as const,
    cell: ({ blocksPerSecond: rate }: Collection) => (rate === null ? '–' : formatShort(rate)),
  },
  {
    name: 'Time left',
    number: true as const,
    cell: ({ secondsLeft: remaining }: Collection) => (remaining === null ? '–' : formatDuration(remaining)),
  },
  { name: 'Tokens', number: true as const, cell: ({ tokens }: Collection) => formatNumber(tokens) },
]
