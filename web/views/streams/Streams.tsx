import { type components, get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { chainName, useChains } from '../../context/useChains.ts'
import { usePages } from '../../context/usePages.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Card } from '../../parts/Card.tsx'
import { Link } from '../../parts/Link.tsx'
import { More } from '../../parts/More.tsx'
import { Page } from '../../parts/Page.tsx'
import { streamPath } from '../../parts/paths.ts'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { Stats } from '../../parts/Stats.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatNumber } from '../../text/numbers.ts'
import { nameOrAddress, shorten, visibleName } from '../../text/shorten.ts'
import { Status } from './Status.tsx'
import './streams.css'

type StreamStats = components['schemas']['StreamStats']

/** All streams, with status and delivery counts. */
export function Streams() {
  const { access } = useServices()
  const isAdmin = access.value === 'admin'
  const stats = usePolled(get('/stats', {}))
  return (
    <Page
      title="Streams"
      lead={isAdmin ? undefined : 'Statistics of streams. An admin key shows and changes streams.'}
      actions={
        isAdmin && (
          <Link class="button main" to="/streams/new">
            New stream
          </Link>
        )
      }
    >
      <Card title="All streams">
        <Shown of={stats}>{(sum) => <Sums of={sum} />}</Shown>
      </Card>
      {isAdmin ? <StreamTable stats={stats.data} /> : stats.data && <FigureTable stats={stats.data} />}
    </Page>
  )
}

/** The counters of one stream, or of all. */
export function Sums({ of }: { of: Omit<StreamStats, 'streams' | 'createdAt' | 'updatedAt'> }) {
  return (
    <Stats
      of={[
        { name: 'Delivered', value: formatNumber(of.totalWebhooksDelivered), hint: 'webhooks' },
        { name: 'Failed', value: formatNumber(of.totalWebhooksFailed), hint: 'attempts' },
        { name: 'Logs', value: formatNumber(of.totalLogsProcessed), hint: 'in confirmed webhooks' },
        { name: 'Transactions', value: formatNumber(of.totalTxsProcessed), hint: 'in confirmed webhooks' },
        {
          name: 'Internal transactions',
          value: formatNumber(of.totalTxsInternalProcessed),
          hint: 'in confirmed webhooks',
        },
      ]}
    />
  )
}

function StreamTable({ stats }: { stats: StreamStats | undefined }) {
  const { data: chains } = useChains()
  const streams = usePages((cursor) => get('/streams/evm', { query: { limit: 50, cursor } }))
  const rows = streams.pages.flatMap(({ result }) => result)
  const figures = new Map(stats?.streams.map((figure) => [figure.streamId, figure]))
  // A stream without statistics has no counts yet.
  const figure = (id: string, name: 'totalWebhooksDelivered' | 'totalWebhooksFailed') =>
    stats ? formatNumber(figures.get(id)?.[name] ?? 0) : '–'
  return (
    <Card title="Streams">
      <Shown of={streams.first}>
        {() =>
          rows.length === 0 ? (
            <Empty>No streams yet.</Empty>
          ) : (
            <Table
              caption="Streams"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: 'Stream',
                  cell: ({ id, tag, description }) => (
                    <Link to={streamPath(id)}>
                      <bdi class="clipped">{visibleName(tag) ?? nameOrAddress(description, id)}</bdi>
                    </Link>
                  ),
                },
                {
                  name: 'Status',
                  cell: ({ status, statusMessage }) => (
                    <>
                      <Status of={status} />
                      {statusMessage && (
                        <p class="hint">
                          <bdi class="clipped">{statusMessage}</bdi>
                        </p>
                      )}
                    </>
                  ),
                },
                {
                  name: 'Chains',
                  cell: ({ chainIds }) => <bdi>{chainIds.map((id) => chainName(chains?.result, id)).join(', ')}</bdi>,
                },
                { name: 'Webhook URL', cell: ({ webhookUrl }) => <bdi class="clipped">{webhookUrl}</bdi> },
                {
                  name: 'Addresses',
                  number: true,
                  cell: ({ allAddresses, amountOfAddresses }) =>
                    allAddresses ? 'all' : formatNumber(amountOfAddresses),
                },
                { name: 'Delivered', number: true, cell: ({ id }) => figure(id, 'totalWebhooksDelivered') },
                { name: 'Failed attempts', number: true, cell: ({ id }) => figure(id, 'totalWebhooksFailed') },
              ]}
            />
          )
        }
      </Shown>
      <More of={streams} />
    </Card>
  )
}

/** Includes deleted streams: their counters stay. */
function FigureTable({ stats: { streams } }: { stats: StreamStats }) {
  if (streams.length === 0) return null
  return (
    <Card title="Statistics by stream">
      <Table
        caption="Statistics of streams"
        rows={streams}
        keyOf={({ streamId }) => streamId}
        columns={[
          {
            name: 'Stream',
            cell: ({ streamId }) => (
              <Link to={streamPath(streamId)}>
                <code>{shorten(streamId, { head: 8, tail: 4 })}</code>
              </Link>
            ),
          },
          { name: 'Delivered', number: true, cell: (figure) => formatNumber(figure.totalWebhooksDelivered) },
          { name: 'Failed attempts', number: true, cell: (figure) => formatNumber(figure.totalWebhooksFailed) },
          { name: 'Logs', number: true, cell: (figure) => formatNumber(figure.totalLogsProcessed) },
        ]}
      />
    </Card>
  )
}
