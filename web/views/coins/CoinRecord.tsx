import type { components } from '../../api/apiCall.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Copy } from '../../parts/Copy.tsx'
import { formatNumber } from '../../text/numbers.ts'

type Coin = components['schemas']['Coin']

/** All that is known of a coin. */
export function CoinRecord({ coin }: { coin: Coin }) {
  const rows: readonly [name: string, value: string | null, copied?: true][] = [
    ['Name', coin.name],
    ['Symbol', coin.symbol],
    ['Type', coin.coin_type, true],
    ['Hash', coin.coin_type_hash, true],
    ['Creator', coin.creator_address, true],
    ['Decimals', String(coin.decimals)],
    ['Created in version', formatNumber(coin.transaction_version_created)],
    ['Supply table', coin.supply_aggregator_table_handle, true],
    ['Supply key', coin.supply_aggregator_table_key, true],
  ]
  return (
    <dl class="facts">
      {rows.map(([name, value, copied]) =>
        value === null
          ? null
          : [
              <dt key={name}>{name}</dt>,
              <dd key={`${name} value`}>
                <bdi class={copied && 'mono'}>{value}</bdi>
                {copied && <Copy text={value} what={`the ${name.toLowerCase()}`} />}
              </dd>,
            ],
      )}
      <dt>Created</dt>
      <dd>
        <Ago at={coin.transaction_created_timestamp} />
      </dd>
    </dl>
  )
}
