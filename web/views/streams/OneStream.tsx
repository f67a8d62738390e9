import { useState } from 'preact/hooks'
import { type components, get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { chainName, useChains } from '../../context/useChains.ts'
import { usePolled } from '../../context/usePolled.ts'
import type { ViewProps } from '../../context/view.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Card } from '../../parts/Card.tsx'
import { Json } from '../../parts/Json.tsx'
import { Link } from '../../parts/Link.tsx'
import { Page } from '../../parts/Page.tsx'
import { streamPath } from '../../parts/paths.ts'
import { Shown } from '../../parts/Shown.tsx'
import { formatNumber } from '../../text/numbers.ts'
import { visibleName } from '../../text/shorten.ts'
import { Activity } from './Activity.tsx'
import { Addresses } from './Addresses.tsx'
import { Attempts } from './Attempts.tsx'
import { DeleteStream } from './DeleteStream.tsx'
import { Ledger } from './Ledger.tsx'
import { PauseOrResume } from './PauseOrResume.tsx'
import { Status } from './Status.tsx'
import { Sums } from './Streams.tsx'
import { TestWebhook } from './TestWebhook.tsx'
import { Verify } from './Verify.tsx'
import './streams.css'

type Stream = components['schemas']['Stream']

/** One stream: its definition, activity, webhooks and actions. */
export function OneStream({ params }: ViewProps) {
  const id = params.id!
  const { access } = useServices()
  return access.value === 'admin' ? <WholeStream id={id} /> : <Figures id={id} />
}

/** The page for keys with access read. */
function Figures({ id }: { id: string }) {
  return (
    <Page title="Stream" lead={<code>{id}</code>}>
      <Totals id={id} />
      <Activity id={id} />
    </Page>
  )
}

function Totals({ id }: { id: string }) {
  const stats = usePolled(get('/stats/{streamId}', { path: { streamId: id } }))
  return (
    <Card title="Total since creation" wide>
      <Shown of={stats}>{(sum) => <Sums of={sum} />}</Shown>
    </Card>
  )
}

function WholeStream({ id }: { id: string }) {
  const stream = usePolled(get('/streams/evm/{id}', { path: { id } }))
  const [isDeleting, setDeleting] = useState(false)
  const { data } = stream
  return (
    <Page
      title={data ? <bdi>{visibleName(data.tag) ?? visibleName(data.description) ?? 'Stream'}</bdi> : 'Stream'}
      lead={<code>{id}</code>}
      actions={
        data && (
          <>
            <PauseOrResume stream={data} changed={stream.again} />
            <TestWebhook stream={data} />
            <Link class="button" to={`${streamPath(id)}/edit`}>
              Edit
            </Link>
            <button type="button" class="danger" onClick={() => setDeleting(true)}>
              Delete
            </button>
          </>
        )
      }
    >
      <Shown of={stream}>
        {(found) => (
          <>
            {found.statusMessage && (
              <p class={found.status === 'active' ? 'note' : 'failed'} role="status">
                <bdi>{found.statusMessage}</bdi>
              </p>
            )}
            <State stream={found} />
            <Totals id={id} />
            <Activity id={id} />
            <Ledger stream={found} />
            <Attempts id={id} />
            {!found.allAddresses && <Addresses id={id} changed={stream.again} />}
            <Verify stream={found} rotated={stream.again} />
          </>
        )}
      </Shown>
      {isDeleting && data && <DeleteStream stream={data} close={() => setDeleting(false)} />}
    </Page>
  )
}

/** The definition of the stream. */
function State({ stream }: { stream: Stream }) {
  const { data: chains } = useChains()
  const { topic0, advancedOptions, abi, getNativeBalances } = stream
  return (
    <Card title="Definition" wide actions={<Status of={stream.status} />}>
      <dl class="stream-facts">
        <div>
          <dt>Webhook URL</dt>
          <dd>
            <bdi>{stream.webhookUrl}</bdi>
          </dd>
        </div>
        {stream.description && (
          <div>
            <dt>Description</dt>
            <dd>
              <bdi>{stream.description}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>Chains</dt>
          <dd>
            <bdi>{stream.chainIds.map((id) => chainName(chains?.result, id)).join(', ')}</bdi>
          </dd>
        </div>
        <div>
          <dt>Addresses</dt>
          <dd>{watched(stream)}</dd>
        </div>
        <div>
          <dt>Contents of webhooks</dt>
          <dd>
            {[
              stream.includeContractLogs && 'logs',
              stream.includeNativeTxs && 'transactions',
              stream.includeInternalTxs && 'internal transactions',
              stream.includeAllTxLogs && 'all logs of transactions that match',
            ]
              .filter(Boolean)
              .join(', ') || 'nothing'}
            {stream.filterPossibleSpam && ', without spam'}
          </dd>
        </div>
        <div>
          <dt>Delivery</dt>
          <dd>
            {stream.delivery}
            {stream.confirmedOnly && ', confirmed blocks only'}
            {stream.gzip && ', compressed'}
            {Object.keys(stream.headers).length > 0 && (
              <>
                , with the headers <bdi>{Object.keys(stream.headers).join(', ')}</bdi>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <Ago at={stream.createdAt} />
          </dd>
        </div>
        <div>
          <dt>Updated</dt>
          <dd>
            <Ago at={stream.updatedAt} />
          </dd>
        </div>
      </dl>
      {topic0.length === 0 ? (
        stream.includeContractLogs && (
          <p class="hint">
            {advancedOptions.every(({ filter }) => Object.keys(filter ?? {}).length === 0)
              ? 'No event is chosen: logs of every event match.'
              : 'Logs of every event match, those of some events only if their filters do.'}
          </p>
        )
      ) : (
        <ul class="plain">
          {topic0.map((event) => (
            <li key={event}>
              <code>
                <bdi>{event}</bdi>
              </code>
            </li>
          ))}
        </ul>
      )}
      {advancedOptions.length + abi.length + getNativeBalances.length > 0 && (
        <details>
          <summary>Filters, ABI and balances as JSON</summary>
          <Json value={{ advancedOptions, abi, getNativeBalances }} label="Filters, ABI and balances" />
        </details>
      )}
    </Card>
  )
}

function watched({ allAddresses, amountOfAddresses: count }: Stream): string {
  return allAddresses ? 'every address' : count === 1 ? 'one address' : `${formatNumber(count)} addresses`
}
