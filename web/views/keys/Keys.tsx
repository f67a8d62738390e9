import { useState } from 'preact/hooks'
import { type components, get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { usePolled } from '../../context/usePolled.ts'
import type { ViewProps } from '../../context/view.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Badge } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pages } from '../../parts/Pages.tsx'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatNumber } from '../../text/numbers.ts'
import { CreateKey } from './CreateKey.tsx'
import { RevokeKey } from './RevokeKey.tsx'

type ApiKey = components['schemas']['ApiKey']

/** API keys: their access, rate limits and last use. */
export function Keys({ query }: ViewProps) {
  const { router } = useServices()
  const status = query.get('status') === 'all' ? undefined : 'active'
  const cursor = query.get('cursor') ?? undefined
  const keys = usePolled(get('/admin/keys', { query: { status, cursor } }))
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  return (
    <Page
      title="Keys"
      lead="The configured key (apiKey) is not listed."
      actions={
        <button type="button" class="main" onClick={() => setCreating(true)}>
          Create key
        </button>
      }
    >
      <Card
        title="API keys"
        actions={
          <label class="check">
            <input
              type="checkbox"
              checked={status === undefined}
              onChange={(event) =>
                router.setQuery({ status: event.currentTarget.checked ? 'all' : null, cursor: null })
              }
            />
            Show revoked keys
          </label>
        }
      >
        <Shown of={keys}>
          {({ result, cursor: next }) => (
            <>
              {result.length === 0 ? (
                <Empty>{status === 'active' ? 'No active keys.' : 'No keys yet.'}</Empty>
              ) : (
                <Table
                  caption="API keys"
                  rows={result}
                  keyOf={(key) => key.id}
                  columns={[
                    { name: 'Name', cell: (key) => <bdi class="words">{key.name}</bdi> },
                    {
                      name: 'Access',
                      cell: (key) => <Badge kind={key.access === 'admin' ? 'warn' : 'plain'}>{key.access}</Badge>,
                    },
                    { name: 'Rate limit', cell: rateOf },
                    { name: 'Created', cell: (key) => <Ago at={key.createdAt} /> },
                    { name: 'Last used', cell: (key) => (key.lastUsedAt ? <Ago at={key.lastUsedAt} /> : 'never') },
                    {
                      name: 'Revoke',
                      cell: (key) =>
                        key.revokedAt ? (
                          <>
                            revoked <Ago at={key.revokedAt} />
                          </>
                        ) : (
                          <button
                            type="button"
                            class="danger"
                            aria-label={`Revoke ${key.name}`}
                            onClick={() => setRevoking(key)}
                          >
                            Revoke
                          </button>
                        ),
                    },
                  ]}
                />
              )}
              <Pages next={next} />
            </>
          )}
        </Shown>
      </Card>
      {isCreating && <CreateKey close={() => setCreating(false)} created={keys.again} />}
      {revoking && <RevokeKey apiKey={revoking} close={() => setRevoking(null)} revoked={keys.again} />}
    </Page>
  )
}

function rateOf({ requestsPerSecond, burst }: ApiKey): string {
  if (requestsPerSecond === null && burst === null) return 'default'
  const rate = requestsPerSecond === null ? 'default rate' : `${requestsPerSecond}/s`
  return burst === null ? rate : `${rate}, burst ${formatNumber(burst)}`
}
