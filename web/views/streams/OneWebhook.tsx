import { get } from '../../api/apiCall.ts'
import { chainName, useChains } from '../../context/useChains.ts'
import { usePages } from '../../context/usePages.ts'
import { usePolled } from '../../context/usePolled.ts'
import type { ViewProps } from '../../context/view.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Card } from '../../parts/Card.tsx'
import { Json } from '../../parts/Json.tsx'
import { Link } from '../../parts/Link.tsx'
import { More } from '../../parts/More.tsx'
import { Page } from '../../parts/Page.tsx'
import { streamPath } from '../../parts/paths.ts'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { formatCount, formatNumber } from '../../text/numbers.ts'
import { Answer } from './Answer.tsx'
import { Replay } from './Replay.tsx'
import { Status } from './Status.tsx'
import './streams.css'

/** One webhook: its body as first sent, and every attempt to deliver it. */
export function OneWebhook({ params }: ViewProps) {
  const [streamId, webhookId] = [params.id!, params.webhook!]
  const { data: chains } = useChains()
  const found = usePolled(get('/history', { query: { streamId, webhookId } }))
  const attempts = usePages((cursor) => get('/history/logs', { query: { streamId, webhookId, limit: 50, cursor } }))
  const item = found.data?.result[0]
  const all = attempts.pages.flatMap(({ result }) => result)
  const again = () => {
    found.again()
    attempts.first.again()
  }
  return (
    <Page
      title="Webhook"
      lead={
        <>
          <code>{webhookId}</code> · <Link to={streamPath(streamId)}>Back to the stream</Link>
        </>
      }
      actions={item && <Replay item={item} replayed={again} />}
    >
      <Shown of={found}>
        {() =>
          item ? (
            <>
              <Card title="Delivery status" wide actions={<Status of={item.status} />}>
                <p>
                  Block {formatNumber(item.tinyPayload.block)} of{' '}
                  <bdi>{chainName(chains?.result, item.tinyPayload.chainId)}</bdi>, {item.kind},{' '}
                  {formatCount(item.tinyPayload.records, 'record')}, created <Ago at={item.date} />.
                </p>
                {item.errorMessage && (
                  <p class="failed">
                    <bdi>{item.errorMessage}</bdi>
                  </p>
                )}
              </Card>
              <Card title="Attempts" wide>
                <Shown of={attempts.first}>{() => (all.length === 0 ? <Empty>Not sent yet.</Empty> : null)}</Shown>
                <ul class="plain attempts">
                  {all.map((attempt) => (
                    <li key={attempt.id}>
                      <Answer of={attempt} retries={attempt.retries} />
                    </li>
                  ))}
                </ul>
                <More of={attempts} />
              </Card>
              <Card title="Request" wide>
                <p class="hint">
                  The request has the headers <code>webhook-id: {webhookId}</code>, <code>webhook-timestamp</code>,{' '}
                  <code>webhook-signature</code> and <code>x-signature</code>. Later attempts have another value of{' '}
                  <code>retries</code>.
                </p>
                <Json value={item.payload} label="Body of the webhook" />
              </Card>
            </>
          ) : (
            <Empty>
              The stream has no such webhook. After the retention period, webhooks that are not pending are removed.
            </Empty>
          )
        }
      </Shown>
    </Page>
  )
}
