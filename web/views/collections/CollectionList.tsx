import { useEffect, useRef, useState } from 'preact/hooks'
import { type components, get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { useChains } from '../../context/useChains.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Card } from '../../parts/Card.tsx'
import { CollectionBadge, collectionStatus } from '../../parts/CollectionBadge.tsx'
import { Field } from '../../parts/Field.tsx'
import { Link } from '../../parts/Link.tsx'
import { Pages } from '../../parts/Pages.tsx'
import { Progress } from '../../parts/Progress.tsx'
import { collectionPath } from '../../parts/paths.ts'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { formatNumber } from '../../text/numbers.ts'
import { nameOrAddress, shorten } from '../../text/shorten.ts'

type Collection = components['schemas']['ListedCollection']

const statuses = ['queued', 'syncing', 'live', 'none', 'nocode', 'failed'] as const
/** Pause in typing before a request. */
const pauseMs = 300

const orderNames = ['first_seen', 'activity'] as const
const orders = {
  first_seen: 'Contracts of new blocks, newest first',
  activity: 'Contracts of new blocks, most transfers first',
}

/** All collections by name, address and status, or contracts found in new blocks. */
export function CollectionList({ query }: { query: URLSearchParams }) {
  const { router } = useServices()
  const search = query.get('search') ?? undefined
  const status = statuses.find((known) => known === query.get('status'))
  const cursor = query.get('cursor') ?? undefined
  const [typed, setTyped] = useState(search ?? '')
  const order = orderNames.find((known) => known === query.get('order'))
  const filters = order ? { order } : { search, status }
  const { data: chains } = useChains()
  const offersOrders = order !== undefined || chains?.result.some(({ discover }) => discover)
  const list = usePolled(get('/api/v2/collections', { query: { ...filters, cursor, limit: 50 } }))

  const reported = useRef(search ?? '')
  useEffect(() => {
    // Not typing but something else changed the URL, such as a link to the whole list.
    if (reported.current !== (search ?? '')) setTyped(search ?? '')
    reported.current = search ?? ''
  }, [search])

  useEffect(() => {
    const wanted = typed.trim()
    if (wanted === (search ?? '')) return
    const timer = setTimeout(() => {
      reported.current = wanted
      router.setQuery({ search: wanted || null, cursor: null })
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [typed, search, router])

  return (
    <Card title={order ? 'Contracts of new blocks' : 'Indexed collections'}>
      <div class="line-form">
        {offersOrders && (
          <Field label="List">
            <select
              value={order ?? ''}
              onChange={(event) =>
                router.setQuery({ order: event.currentTarget.value || null, search: null, status: null, cursor: null })
              }
            >
              <option value="">Indexed collections by address</option>
              {orderNames.map((name) => (
                <option key={name} value={name}>
                  {orders[name]}
                </option>
              ))}
            </select>
          </Field>
        )}
        {!order && (
          <>
            <Field label="Name, or start of the address">
              <input
                type="search"
                maxLength={100}
                spellcheck={false}
                value={typed}
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
            </Field>
            <Field label="Status">
              <select
                value={status ?? ''}
                onChange={(event) => router.setQuery({ status: event.currentTarget.value || null, cursor: null })}
              >
                <option value="">any</option>
                {statuses.map((name) => (
                  <option key={name} value={name}>
                    {collectionStatus(name)}
                  </option>
                ))}
              </select>
            </Field>
          </>
        )}
      </div>
      <Shown of={list}>
        {({ result, cursor: next, total }) => (
          <>
            <p class="hint" role="status">
              {formatNumber(total)} {total === 1 ? 'collection' : 'collections'}
            </p>
            {result.length === 0 ? (
              <Empty>{emptyText(order, search ?? status)}</Empty>
            ) : (
              <Table
                caption="Collections"
                rows={result}
                keyOf={({ chainId, address }) => `${chainId} ${address}`}
                columns={order ? discoveredColumns : columns}
              />
            )}
            <Pages next={next} />
          </>
        )}
      </Shown>
    </Card>
  )
}

function emptyText(order: string | undefined, filter: string | undefined): string {
  if (order) return 'No new block has a transfer of an NFT yet.'
  return filter ? 'No matching collections.' : 'No collections yet.'
}

const shared: Column<Collection>[] = [
  {
    name: 'Collection',
    cell: ({ chain, address, name }) => (
      <Link to={collectionPath(chain, address)}>
        <bdi class="clipped">{nameOrAddress(name, address)}</bdi>
      </Link>
    ),
  },
  { name: 'Address', cell: ({ address }) => <code title={address}>{shorten(address)}</code> },
  { name: 'Chain', cell: ({ chain }) => chain },
  { name: 'Standard', cell: ({ standard }) => standard ?? '–' },
  { name: 'Status', cell: (collection) => <CollectionBadge of={collection} /> },
]

const columns: Column<Collection>[] = [
  ...shared,
  {
    name: 'History',
    cell: ({ progress, name, address, status }) =>
      status === 'syncing' ? <Progress share={progress} label={`History of ${nameOrAddress(name, address)}`} /> : '–',
  },
  { name: 'Tokens', number: true, cell: ({ tokens }) => formatNumber(tokens) },
]

const discoveredColumns: Column<Collection>[] = [
  ...shared,
  {
    name: 'First seen',
    cell: ({ discovery }) => (discovery ? <Ago at={discovery.firstSeenAt} /> : '–'),
  },
  {
    name: 'Transfers, 24 h',
    number: true,
    cell: ({ discovery }) => (discovery ? formatNumber(discovery.transfers) : '–'),
  },
  { name: 'Mints, 24 h', number: true, cell: ({ discovery }) => (discovery ? formatNumber(discovery.mints) : '–') },
]
