import { useLayoutEffect, useState } from 'preact/hooks'
import { type components, get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { usePolled } from '../../context/usePolled.ts'
import type { ViewProps } from '../../context/view.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Short } from '../../parts/addresses/Short.tsx'
import { Badge, type BadgeKind } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { Field } from '../../parts/Field.tsx'
import { NoCoins } from '../../parts/NoCoins.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pages } from '../../parts/Pages.tsx'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { Stats } from '../../parts/Stats.tsx'
import { Table } from '../../parts/Table.tsx'
import { formatNumber, formatShare, formatUnits } from '../../text/numbers.ts'
import { CoinRecord } from './CoinRecord.tsx'
import { hashesOf, hashOf } from './coinHash.ts'
import './coins.css'

type Coin = components['schemas']['Coin']

/** The network of paths such as `/coins/latest`. */
const defaultNetwork = 'mainnet'
const kinds: Record<string, BadgeKind> = { synced: 'good', syncing: 'busy', failed: 'bad' }

/** The coins of a network: the latest ones, and one by its type or hash. */
export function Coins({ query }: ViewProps) {
  const network = query.get('network') ?? defaultNetwork
  const requested = query.get('q')?.trim() ?? ''
  return (
    <Page title="Coins" lead="Coins of an Aptos-style network, read from its transactions.">
      <FindCoin network={network} requested={requested} />
      {requested !== '' && <OneCoin key={`${network} ${requested}`} network={network} requested={requested} />}
      <Latest network={network} cursor={query.get('cursor') ?? undefined} />
    </Page>
  )
}

function FindCoin({ network, requested }: { network: string; requested: string }) {
  const { router } = useServices()
  const [text, setText] = useState(requested)
  const [name, setName] = useState(network)
  useLayoutEffect(() => setText(requested), [requested])
  useLayoutEffect(() => setName(network), [network])
  const find = (event: SubmitEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    router.setQuery({
      q: text.trim() || null,
      network: wanted === '' || wanted === defaultNetwork ? null : wanted,
      cursor: null,
    })
  }
  const { hash, isType } = hashOf(text.trim())
  return (
    <Card title="Find a coin">
      <form class="line-form" onSubmit={find}>
        <Field
          label="Type, address or hash"
          hint={
            text.trim() !== '' && isType ? (
              <>
                Its hash is <code class="hash">{hash}</code>
              </>
            ) : (
              'Such as 0x1::aptos_coin::AptosCoin, an address, or 64 hex digits.'
            )
          }
        >
          <input
            type="search"
            autocomplete="off"
            spellcheck={false}
            maxLength={4_096}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </Field>
        <Field label="Network" hint="Name of the network in the configuration.">
          <input
            autocomplete="off"
            spellcheck={false}
            maxLength={40}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <button type="submit" class="main">
          Find
        </button>
      </form>
    </Card>
  )
}

function OneCoin({ network, requested }: { network: string; requested: string }) {
  const query = { coin_type_hashes: hashesOf(requested), standard: 'all' as const }
  const found = usePolled(
    network === defaultNetwork ? get('/coins', { query }) : get('/aptos/{network}/coins', { path: { network }, query }),
  )
  return (
    <Card title="Coin">
      <Shown of={found}>
        {([coin]) =>
          coin ? (
            <CoinRecord coin={coin} network={network} isDefault={network === defaultNetwork} />
          ) : (
            <Empty>
              No coin of <bdi>{network}</bdi> has this type or address in the history read so far.
            </Empty>
          )
        }
      </Shown>
    </Card>
  )
}

function Latest({ network, cursor }: { network: string; cursor: string | undefined }) {
  const query = { limit: 50, cursor, standard: 'all' as const }
  const coins = usePolled(
    network === defaultNetwork
      ? get('/coins/latest', { query })
      : get('/aptos/{network}/coins/latest', { path: { network }, query }),
    { everyMs: 2_000 },
  )
  const status = coins.headers?.get('x-index-status')
  return (
    <Card title="Latest coins" actions={status && <Badge kind={kinds[status] ?? 'plain'}>{status}</Badge>}>
      {coins.headers && status !== 'unconfigured' && <Coverage headers={coins.headers} />}
      <Shown of={coins}>
        {({ result, cursor: next }) => (
          <>
            {result.length === 0 ? <NoCoins status={status} /> : <CoinTable coins={result} />}
            <Pages next={next} />
          </>
        )}
      </Shown>
    </Card>
  )
}

/** How far the network is read. */
function Coverage({ headers }: { headers: Headers }) {
  const figure = (name: string) => {
    const value = headers.get(name)
    return value !== null && /^\d+$/.test(value) ? formatNumber(value) : '–'
  }
  const failure = headers.get('x-index-failure')
  const age = headers.get('x-index-head-age')
  return (
    <>
      {failure && (
        <p class="failed" role="status">
          <bdi>{failure}</bdi>
        </p>
      )}
      <Stats
        of={[
          { name: 'Read', value: formatShare(Number(headers.get('x-index-progress') ?? 0)), hint: 'of the history' },
          { name: 'Up to version', value: figure('x-index-to-version') },
          { name: 'Head', value: figure('x-index-head-version'), ...(age !== null && { hint: `${age} s old` }) },
          { name: 'Lag', value: figure('x-index-lag-versions'), hint: 'versions' },
        ]}
      />
    </>
  )
}

function CoinTable({ coins }: { coins: readonly Coin[] }) {
  return (
    <Table
      caption="Latest coins"
      rows={coins}
      keyOf={(coin) => coin.coin_type_hash}
      columns={[
        { name: 'Symbol', cell: (coin) => <bdi class="clipped">{coin.symbol}</bdi> },
        { name: 'Name', cell: (coin) => <bdi class="clipped">{coin.name}</bdi> },
        { name: 'Standard', cell: (coin) => coin.token_standard },
        { name: 'Type', cell: (coin) => <Short text={coin.coin_type} what="the type" head={18} tail={16} /> },
        { name: 'Hash', cell: (coin) => <Short text={coin.coin_type_hash} what="the hash" /> },
        { name: 'Decimals', number: true, cell: (coin) => coin.decimals },
        {
          name: 'Supply',
          number: true,
          cell: (coin) => (coin.supply == null ? '–' : formatUnits(coin.supply, coin.decimals)),
        },
        { name: 'Version', number: true, cell: (coin) => formatNumber(coin.transaction_version_created) },
        { name: 'Created', cell: (coin) => <Ago at={coin.transaction_created_timestamp} /> },
      ]}
    />
  )
}
