import { get } from '../../api/apiCall.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Badge, type BadgeKind } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { NoCoins } from '../../parts/NoCoins.tsx'
import { Shown } from '../../parts/Shown.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatNumber, formatShare } from '../../text/numbers.ts'

const kinds: Record<string, BadgeKind> = { synced: 'good', syncing: 'busy', failed: 'bad' }

/** The latest coins of the default network, and its indexing progress. */
export function Coins() {
  const coins = usePolled(get('/coins/latest', { query: { limit: 5 } }))
  const status = coins.headers?.get('x-index-status')
  const lag = coins.headers?.get('x-index-lag-versions')
  const failure = coins.headers?.get('x-index-failure')
  const progress = Number(coins.headers?.get('x-index-progress') ?? 0)
  return (
    <Card title="Coins" actions={status && <Badge kind={kinds[status] ?? 'plain'}>{status}</Badge>}>
      <Shown of={coins}>
        {({ result }) => (
          <>
            {status === 'syncing' && <p class="hint">{formatShare(progress)} of the history is read.</p>}
            {failure && (
              <p class="hint">
                <bdi>{failure}</bdi>
              </p>
            )}
            {lag && lag !== '0' && <p class="hint">{formatNumber(lag)} versions behind the head.</p>}
            {result.length === 0 ? (
              <NoCoins status={status} />
            ) : (
              <Table
                caption="Latest coins"
                rows={result}
                keyOf={(coin) => coin.coin_type_hash}
                columns={[
                  { name: 'Symbol', cell: (coin) => <bdi class="clipped">{coin.symbol}</bdi> },
                  { name: 'Name', cell: (coin) => <bdi class="clipped">{coin.name}</bdi> },
                  { name: 'Created', number: true, cell: (coin) => <Ago at={coin.transaction_created_timestamp} /> },
                ]}
              />
            )}
          </>
        )}
      </Shown>
    </Card>
  )
}
