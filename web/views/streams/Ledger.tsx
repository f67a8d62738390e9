import { useState } from 'preact/hooks'
import { type components, get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { chainName, useChains } from '../../context/useChains.ts'
import { usePages } from '../../context/usePages.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Card } from '../../parts/Card.tsx'
import { Link } from '../../parts/Link.tsx'
import { More } from '../../parts/More.tsx'
import { webhookPath } from '../../parts/paths.ts'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatCount, formatNumber } from '../../text/numbers.ts'
import { RangeProgress } from './RangeProgress.tsx'
import { Replay } from './Replay.tsx'
import { ReplayRange } from './ReplayRange.tsx'
import { Status } from './Status.tsx'
import { webhookStatuses } from './webhookStatuses.ts'

type Item = components['schemas']['HistoryItem']
type Stream = components['schemas']['Stream']

/** The webhooks of a stream, the latest first, each with its status. */
export function Ledger({ stream }: { stream: Pick<Stream, 'id' | 'chainIds'> }) {
  const { id } = stream
  const { router } = useServices()
  const requested = router.place.value.query.get('status')
  const status = webhookStatuses.find((one) => one === requested)
  const list = usePages((cursor) =>
    get('/history', { query: { streamId: id, status, excludePayload: true, limit: 25, cursor } }),
  )
  const replay = router.place.value.query.get('replay')
  const [isReplaying, setReplaying] = useState(false)
  const rows = list.pages.flatMap(({ result }) => result)
  return (
    <Card
      title="Webhooks"
      wide
      actions={
        <>
          <select
            aria-label="Status of the webhooks"
            value={status ?? ''}
            onChange={({ currentTarget }) => router.setQuery({ status: currentTarget.value || null })}
          >
            <option value="">all</option>
            {webhookStatuses.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
          <button type="button" onClick={() => setReplaying(true)}>
            Replay a range
          </button>
        </>
      }
    >
      {replay && (
        <RangeProgress key={replay} id={id} replay={replay} dismiss={() => router.setQuery({ replay: null })} />
      )}
      <Shown of={list.first}>
        {({ total }) =>
          rows.length === 0 ? (
            <Empty>{status ? `No ${status} webhooks` : 'No webhooks yet'}.</Empty>
          ) : (
            <>
              <p class="hint">{formatCount(total, 'webhook')}</p>
              <WebhookTable id={id} rows={rows} replayed={list.first.again} />
            </>
          )
        }
      </Shown>
      <More of={list} />
      {isReplaying && <ReplayRange stream={stream} close={() => setReplaying(false)} />}
    </Card>
  )
}

function WebhookTable({ id, rows, replayed }: { id: string; rows: readonly Item[]; replayed(): void }) {
  const { data: chains } = useChains()
  return (
    <Table
      caption="Webhooks"
      rows={rows}
      keyOf={(item) => item.id}
      columns={[
        {
          name: 'Block',
          cell: (item) => (
            <Link
              to={webhookPath(id, item.id)}
              aria-label={`Webhook of block ${formatNumber(item.tinyPayload.block)}, ${item.kind}`}
            >
              {formatNumber(item.tinyPayload.block)}
            </Link>
          ),
        },
        { name: 'Chain', cell: (item) => <bdi>{chainName(chains?.result, item.tinyPayload.chainId)}</bdi> },
        { name: 'Kind', cell: ({ kind }) => kind },
        {
          name: 'Status',
          cell: (item) => (
            <>
              <Status of={item.status} />
              {item.errorMessage && (
                <p class="hint">
                  <bdi class="clipped">{item.errorMessage}</bdi>
                </p>
              )}
            </>
          ),
        },
        { name: 'Records', number: true, cell: (item) => formatNumber(item.tinyPayload.records) },
        { name: 'Failed attempts', number: true, cell: (item) => formatNumber(item.tinyPayload.retries) },
        { name: 'Created', cell: (item) => <Ago at={item.date} /> },
        { name: 'Replay', cell: (item) => <Replay item={item} replayed={replayed} /> },
      ]}
    />
  )
}
