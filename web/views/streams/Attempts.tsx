import { get } from '../../api/apiCall.ts'
import { usePages } from '../../context/usePages.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Card } from '../../parts/Card.tsx'
import { Link } from '../../parts/Link.tsx'
import { More } from '../../parts/More.tsx'
import { webhookPath } from '../../parts/paths.ts'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatCount, formatNumber } from '../../text/numbers.ts'
import { formatMs } from './formatMs.ts'
import { Status } from './Status.tsx'

/** All delivery attempts, the latest first. */
export function Attempts({ id }: { id: string }) {
  const list = usePages((cursor) => get('/history/logs', { query: { streamId: id, limit: 25, cursor } }))
  const rows = list.pages.flatMap(({ result }) => result)
  return (
    <Card title="Attempts" wide>
      <Shown of={list.first}>
        {({ total }) =>
          rows.length === 0 ? (
            <Empty>No attempts yet.</Empty>
          ) : (
            <>
              <p class="hint">{formatCount(total, 'attempt')}</p>
              <Table
                caption="Attempts"
                rows={rows}
                keyOf={(attempt) => attempt.id}
                columns={[
                  {
                    name: 'Block',
                    cell: ({ blockNumber, webhookId }) => (
                      <Link
                        to={webhookPath(id, webhookId)}
                        aria-label={`Open the webhook of this attempt, block ${formatNumber(blockNumber)}`}
                      >
                        {formatNumber(blockNumber)}
                      </Link>
                    ),
                  },
                  { name: 'Outcome', cell: ({ deliveryStatus }) => <Status of={deliveryStatus} /> },
                  { name: 'HTTP status', number: true, cell: ({ statusCode }) => statusCode ?? '–' },
                  { name: 'Latency', number: true, cell: ({ latencyMs }) => formatMs(latencyMs) },
                  { name: 'Earlier attempts', number: true, cell: ({ retries }) => formatNumber(retries) },
                  { name: 'Time', cell: ({ createdAt }) => <Ago at={createdAt} /> },
                  {
                    name: 'Response',
                    cell: ({ errorMessage, response }) => <bdi class="clipped">{errorMessage || response}</bdi>,
                  },
                ]}
              />
            </>
          )
        }
      </Shown>
      <More of={list} />
    </Card>
  )
}
