import { type components, get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Card } from '../../parts/Card.tsx'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { Stats } from '../../parts/Stats.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatNumber } from '../../text/numbers.ts'
import { Verdict } from './Verdict.tsx'

type Detail = components['schemas']['AdminCollectionDetail']

/** The collection's spam and verification status with reasons, and the state of its metadata and preview images. */
export function About({
  chain,
  address,
  contract,
}: {
  chain: string
  address: string
  contract: components['schemas']['NftContract'] | undefined
}) {
  const { access } = useServices()
  if (access.value === 'admin') return <Detailed chain={chain} address={address} />
  return (
    <Card title="Spam and verification">
      {contract ? (
        <p>
          {contract.possible_spam ? 'The collection counts as spam' : 'The collection does not count as spam'}, and{' '}
          {contract.verified_collection ? 'it is verified' : 'it is not verified'}. An admin key shows why.
        </p>
      ) : (
        <Empty>Not known yet.</Empty>
      )}
    </Card>
  )
}

function Detailed({ chain, address }: { chain: string; address: string }) {
  const detail = usePolled(get('/admin/collections/{chain}/{address}', { path: { chain, address } }))
  return (
    <Shown of={detail}>
      {(data) => (
        <>
          <Verdict chain={chain} address={address} of={data.verdict} changed={detail.again} />
          <Documents of={data} />
          <Requested of={data} />
        </>
      )}
    </Shown>
  )
}

function Documents({ of: { metadata, hosts, previews } }: { of: Detail }) {
  if (!metadata || !hosts || !previews)
    return (
      <Card title="Metadata and preview images">
        <Empty>Not available: counting took too long.</Empty>
      </Card>
    )
  return (
    <Card title="Metadata and preview images">
      <Stats
        of={[
          { name: 'Fetched', value: formatNumber(metadata.ok) },
          { name: 'Pending', value: formatNumber(metadata.due) },
          { name: 'Failed', value: formatNumber(metadata.failed), ...(metadata.failed !== '0' && { kind: 'warn' }) },
          { name: 'Failed permanently', value: formatNumber(metadata.permanent), hint: 'retried only on request' },
          { name: 'Waiting', value: formatNumber(metadata.parked), hint: 'for a dead host' },
          ...Object.entries(previews).map(([state, count]) => ({
            name: `Preview images: ${state.replaceAll('_', ' ')}`,
            value: formatNumber(count),
          })),
        ]}
      />
      {metadata.reasons.length > 0 && (
        <Table
          caption="Metadata errors"
          rows={metadata.reasons}
          keyOf={({ reason }) => reason}
          columns={[
            { name: 'Reason', cell: ({ reason }) => <bdi class="words">{reason}</bdi> },
            { name: 'Tokens', number: true, cell: ({ tokens }) => formatNumber(tokens) },
          ]}
        />
      )}
      {hosts.length > 0 && (
        <Table
          caption="Metadata hosts"
          rows={hosts}
          keyOf={({ host }) => host}
          columns={[
            { name: 'Host', cell: ({ host }) => <bdi class="clipped">{host}</bdi> },
            { name: 'State', cell: ({ state }) => state },
            { name: 'Error', cell: ({ fault }) => <bdi class="words">{fault ?? '–'}</bdi> },
            { name: 'Tokens waiting', number: true, cell: ({ tokensWaiting }) => formatNumber(tokensWaiting ?? 0) },
            { name: 'Next attempt', cell: ({ retryAt }) => (retryAt ? <Ago at={retryAt} /> : '–') },
          ]}
        />
      )}
    </Card>
  )
}

function Requested({ of: { requestedAt, requestedBy, reason, retryAt, leftOut: skipped } }: { of: Detail }) {
  return (
    <Card title="Indexing">
      <p>
        First requested {requestedAt ? <Ago at={requestedAt} /> : 'at an unknown time'}
        {requestedBy?.name && (
          <>
            {' '}
            with the key <bdi class="clipped">{requestedBy.name}</bdi>
          </>
        )}
        .
      </p>
      {reason && (
        <p class="failed">
          {reason}
          {retryAt && (
            <>
              . Next attempt <Ago at={retryAt} />
            </>
          )}
        </p>
      )}
      <p class="hint">
        Omitted: {formatNumber(skipped.wideLogs)} oversized logs, {formatNumber(skipped.surplusTransfers)} transfers
        over the token limit.
      </p>
    </Card>
  )
}
