import type { components } from '../../api/apiCall.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Badge } from '../../parts/Badge.tsx'
import { Copy } from '../../parts/Copy.tsx'
import { Link } from '../../parts/Link.tsx'
import { formatNumber, formatUnits } from '../../text/numbers.ts'
import { webAddress } from '../../text/webAddress.ts'
import { CoinIcon } from './CoinIcon.tsx'

type Coin = components['schemas']['Coin']

const standards = { v1: 'Coin (v1)', v2: 'Fungible asset (v2)' }

/** All fields of a coin. */
export function CoinRecord({ coin, network, isDefault }: { coin: Coin; network: string; isDefault: boolean }) {
  const amount = (digits: string | null | undefined) => (digits == null ? null : formatUnits(digits, coin.decimals))
  const rows: readonly [name: string, value: string | null | undefined, copied?: true][] = [
    ['Name', coin.name],
    ['Symbol', coin.symbol],
    ['Standard', coin.token_standard && standards[coin.token_standard]],
    [coin.token_standard === 'v2' ? 'Address' : 'Type', coin.coin_type, true],
    ['Hash', coin.coin_type_hash, true],
    ['Creator', coin.creator_address, true],
    ['Decimals', String(coin.decimals)],
    ['Supply', amount(coin.supply) ?? 'unknown: not tracked, or not read yet'],
    ['Maximum supply', amount(coin.maximum_supply)],
    ['Created in version', formatNumber(coin.transaction_version_created)],
    ['Supply table', coin.supply_aggregator_table_handle, true],
    ['Supply key', coin.supply_aggregator_table_key, true],
    ['Icon', coin.icon_uri || null, true],
  ]
  return (
    <>
      {coin.icon_uri && <CoinIcon hash={coin.coin_type_hash} network={network} isDefault={isDefault} />}
      <dl class="facts">
        {rows.map(([name, value, copied]) =>
          value == null
            ? null
            : [
                <dt key={name}>{name}</dt>,
                <dd key={`${name} value`}>
                  <bdi class={copied && 'mono'}>{value}</bdi>
                  {copied && <Copy text={value} what={`the ${name.toLowerCase()}`} />}
                </dd>,
              ],
        )}
        <Pair name="Represents" type={coin.paired_coin_type} network={network} />
        <Pair name="Paired asset" type={coin.paired_asset_type} network={network} />
        {coin.project_uri && (
          <>
            <dt>Project</dt>
            <dd>
              <Project uri={coin.project_uri} />
            </dd>
          </>
        )}
        {coin.deleted && (
          <>
            <dt>State</dt>
            <dd>
              <Badge kind="warn">deleted</Badge>
            </dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <Ago at={coin.transaction_created_timestamp} />
        </dd>
      </dl>
    </>
  )
}

/** The paired asset of a coin, or the coin that an asset represents. */
function Pair({ name, type, network }: { name: string; type: string | null | undefined; network: string }) {
  if (!type) return null
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Link to={`/coins?${new URLSearchParams({ network, q: type })}`}>
          <bdi class="mono">{type}</bdi>
        </Link>
      </dd>
    </>
  )
}

/** Untrusted text: a link only if it is a web address, and never loaded. */
function Project({ uri }: { uri: string }) {
  const address = webAddress(uri)
  if (address === undefined) return <bdi class="mono">{uri}</bdi>
  return (
    <a href={address} rel="noreferrer noopener nofollow" target="_blank">
      <bdi class="mono">{address}</bdi>
    </a>
  )
}
