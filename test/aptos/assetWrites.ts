import { aggregatorTable } from '../../src/coin/decode/coinState.ts'
import type { Random } from '../random.ts'
import type { InventedChange } from './inventedTransaction.ts'

type Own = { supply: bigint | null; maximum: bigint | null }
export type Names = { name: string; symbol: string; decimals: number }
export type V1 = Own & {
  standard: 'v1'
  type: string
  first: Names
  now: Names
  version: bigint
  /** Key of the aggregator's table item; null if the coin counts its supply in an integer. */
  key: string | null
}
export type V2 = Own & {
  standard: 'v2'
  address: string
  first: Names & { icon: string; project: string; owner: string }
  now: Names & { icon: string; project: string; owner: string }
  version: bigint
  kind: 'Supply' | 'ConcurrentSupply' | null
  paired: V1 | null
  deleted: boolean
}

export const maxU128 = 2n ** 128n - 1n

const hex = (text: string) => `0x${Buffer.from(text).toString('hex')}`

/** The coin's `CoinInfo` resource. */
export function infoOf(coin: V1): InventedChange {
  const integer =
    coin.supply === null || coin.key !== null ? [] : [{ value: String(coin.supply), limit: String(maxU128) }]
  const aggregator = coin.key === null ? [] : [{ handle: aggregatorTable, key: coin.key, limit: String(maxU128) }]
  const counted = [{ aggregator: { vec: aggregator }, integer: { vec: integer } }]
  const supply = { vec: integer.length + aggregator.length === 0 ? [] : counted }
  return {
    write: `0x1::coin::CoinInfo<${coin.type}>`,
    address: coin.type.split('::')[0]!,
    data: { ...coin.now, supply },
  }
}

/** The write of a change of the coin's supply. */
export function supplyChange(coin: V1): InventedChange {
  return coin.key === null ? infoOf(coin) : { handle: aggregatorTable, key: coin.key, value: String(coin.supply) }
}

/** The whole group of the object in any order. A change of one resource writes all of them. */
export function groupOf(asset: V2, random: Random, withObject = true): InventedChange[] {
  const { icon, project, owner, ...now } = asset.now
  const at = (write: string, data: object): InventedChange => ({ write, address: asset.address, data })
  const changes = [at('0x1::fungible_asset::Metadata', { ...now, icon_uri: icon, project_uri: project })]
  if (withObject) changes.push(at('0x1::object::ObjectCore', { owner, allow_ungated_transfer: true }))
  const { supply, maximum, paired } = asset
  if (asset.kind === 'Supply') {
    const vec = maximum === null ? [] : [String(maximum)]
    changes.push(at('0x1::fungible_asset::Supply', { current: String(supply), maximum: { vec } }))
  }
  if (asset.kind === 'ConcurrentSupply') {
    const current = { value: String(supply), max_value: String(maximum ?? maxU128) }
    changes.push(at('0x1::fungible_asset::ConcurrentSupply', { current }))
  }
  if (paired) {
    const [account, module, ...struct] = paired.type.split('::')
    const type = { account_address: account, module_name: hex(module!), struct_name: hex(struct.join('::')) }
    changes.push(at('0x1::coin::PairedCoinType', { type }))
  }
  return random.chance(0.5) ? changes : changes.toReversed()
}
