import { useState } from 'preact/hooks'
import { type components, get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { useChains } from '../../context/useChains.ts'
import { type UsedPoll, usePolled } from '../../context/usePolled.ts'
import { Ago } from '../../parts/Ago.tsx'
import { WalletLink } from '../../parts/addresses/WalletLink.tsx'
import { Badge, type BadgeKind } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { Field } from '../../parts/Field.tsx'
import { Pages } from '../../parts/Pages.tsx'
import { Progress } from '../../parts/Progress.tsx'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { formatCount, formatNumber } from '../../text/numbers.ts'
import { shorten } from '../../text/shorten.ts'
import { RemoveWallet } from './RemoveWallet.tsx'

type Wallet = components['schemas']['AdminWallet']
type WalletPage = { result: Wallet[]; cursor: string | null; total: number | null }

const kinds: Record<Wallet['status'], BadgeKind> = {
  queued: 'plain',
  syncing: 'busy',
  live: 'good',
  failed: 'bad',
  idle: 'plain',
  full: 'warn',
}
const statuses = Object.keys(kinds) as Wallet['status'][]

/** The page of the list, by the URL's query. null: no request. */
export function useWallets(query: URLSearchParams | null) {
  const value = (name: string) => query?.get(name) ?? undefined
  const status = statuses.find((known) => known === value('status'))
  return usePolled(
    query && get('/admin/wallets', { query: { chain: value('chain'), status, cursor: value('cursor'), limit: 50 } }),
  )
}

/** Wallets that are indexed over all contracts of their chain, by chain and status. */
export function WalletList({ of: list, query }: { of: UsedPoll<WalletPage>; query: URLSearchParams }) {
  const [removing, setRemoving] = useState<Wallet | null>(null)
  const isFiltered = query.has('chain') || query.has('status')
  return (
    <Card title="Indexed wallets">
      <Filters query={query} />
      <Shown of={list}>
        {({ result, cursor: next, total }) => (
          <>
            <p class="hint" role="status">
              {formatCount(total ?? result.length, 'wallet')}
            </p>
            {result.length === 0 ? (
              <Empty>{isFiltered ? 'No matching wallets.' : 'No wallets yet.'}</Empty>
            ) : (
              <Table
                caption="Indexed wallets"
                rows={result}
                keyOf={({ chainId, address }) => `${chainId} ${address}`}
                columns={columnsOf(setRemoving)}
              />
            )}
            <Pages next={next} />
          </>
        )}
      </Shown>
      {removing && <RemoveWallet wallet={removing} close={() => setRemoving(null)} done={list.again} />}
    </Card>
  )
}

function Filters({ query }: { query: URLSearchParams }) {
  const { router } = useServices()
  const { data: chains } = useChains()
  const filters = [
    { name: 'chain', label: 'Chain', values: chains?.result.map(({ name }) => name) ?? [] },
    { name: 'status', label: 'Status', values: statuses },
  ]
  return (
    <div class="line-form">
      {filters.map(({ name, label, values }) => (
        <Field key={name} label={label}>
          <select
            value={query.get(name) ?? ''}
            onChange={(event) => router.setQuery({ [name]: event.currentTarget.value || null, cursor: null })}
          >
            <option value="">any</option>
            {values.map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        </Field>
      ))}
    </div>
  )
}

function columnsOf(remove: (wallet: Wallet) => void): Column<Wallet>[] {
  return [
    { name: 'Wallet', cell: ({ chain, address }) => <WalletLink chain={chain} address={address} /> },
    { name: 'Chain', cell: ({ chain }) => <bdi>{chain}</bdi> },
    { name: 'Status', cell: (wallet) => <Status of={wallet} /> },
    {
      name: 'History',
      cell: ({ status, progress, address }) =>
        status === 'live' ? '–' : <Progress share={progress} label={`History of ${shorten(address)}`} />,
    },
    { name: 'Transfers', number: true, cell: ({ transfers }) => formatNumber(transfers) },
    { name: 'Last requested', cell: ({ askedAt }) => <Ago at={askedAt} /> },
    {
      name: 'Remove',
      cell: (wallet) => (
        <button
          type="button"
          class="danger"
          aria-label={`Remove ${shorten(wallet.address)} on ${wallet.chain}`}
          onClick={() => remove(wallet)}
        >
          Remove
        </button>
      ),
    },
  ]
}

const meanings: Partial<Record<Wallet['status'], string>> = {
  idle: 'no request for wallets.keepDays days, so no longer followed',
  full: 'more transfers than wallets.maxTransfers',
}

/** The status with its meaning, the error, and omitted data. */
function Status({ of: { status, reason, incomplete } }: { of: Wallet }) {
  const notes = [meanings[status], reason, incomplete && `omitted: ${incomplete}`].filter((note) => note != null)
  return (
    <>
      <Badge kind={kinds[status]}>{status}</Badge>
      {notes.map((note) => (
        <p key={note} class="hint">
          <bdi class="words">{note}</bdi>
        </p>
      ))}
    </>
  )
}
