import { createHash } from 'node:crypto'
import { aggregatorTable } from '../../src/coin/coinState.ts'
import type { Random } from '../random.ts'
import type { AptosChain } from './aptosChain.ts'
import { type InventedChange, inventTransaction } from './inventedTransaction.ts'

/** What a client is to see of a coin, besides its hash. */
export type ExpectedCoin = {
  coin_type: string
  name: string
  symbol: string
  decimals: number
  creator_address: string
  transaction_version_created: string
  token_standard: 'v1' | 'v2'
  icon_uri: string | null
  project_uri: string | null
  paired_coin_type: string | null
  paired_asset_type: string | null
  supply: string | null
  maximum_supply: string | null
  deleted: boolean
}

/** A made-up chain on which coins and assets are deployed, minted, burned, paired, changed and deleted at random, and the truth about them. */
export type AssetWorld = {
  happen(times: number): void
  /** All coins as they are now, newest first. */
  expected(): ExpectedCoin[]
  /** A supply that was seen at some version, by chance. */
  someSupply(): { coin: string; version: bigint; supply: string | null }
}

type Own = { supply: bigint | null; maximum: bigint | null }
type Names = { name: string; symbol: string; decimals: number }
type V1 = Own & {
  standard: 'v1'
  type: string
  first: Names
  now: Names
  version: bigint
  /** Aggregators count in a table, integers in the coin. */
  key: string | null
}
type V2 = Own & {
  standard: 'v2'
  address: string
  first: Names & { icon: string; project: string; owner: string }
  now: Names & { icon: string; project: string; owner: string }
  version: bigint
  kind: 'Supply' | 'ConcurrentSupply' | null
  paired: V1 | null
  deleted: boolean
}

const maxU128 = 2n ** 128n - 1n
const pad = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
const hex = (text: string) => `0x${Buffer.from(text).toString('hex')}`
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

export function createAssetWorld(chain: AptosChain, random: Random): AssetWorld {
  const coins: V1[] = []
  const assets: V2[] = []
  /** Of each coin the supply after each version that changed something. */
  const seen = new Map<string, { version: bigint; supply: string | null }[]>()
  let made = 0

  const typeOf = (one: V1 | V2) => (one.standard === 'v1' ? one.type : pad(one.address))
  const pairOf = (coin: V1) => assets.find(({ paired }) => paired === coin)

  function supplyOf(one: V1 | V2): string | null {
    const pair = one.standard === 'v1' ? pairOf(one) : undefined
    return one.supply === null ? null : String(one.supply + (pair?.supply ?? 0n))
  }

  const names = (): Names => ({
    name: random.pick(['Coin', 'Münze "x"', 'a\\u0000b', '']) + made++,
    symbol: random.pick(['SYM', 'S', '€']),
    decimals: random.int(33),
  })
  /** With fewer digits at times, as the chain prints addresses without leading zeros. */
  const address = () => `0x${(random.uint256() >> BigInt(random.pick([0, 0, 4, 200]))).toString(16)}`

  function infoOf(coin: V1): InventedChange {
    const integer =
      coin.supply === null || coin.key !== null ? [] : [{ value: String(coin.supply), limit: String(maxU128) }]
    const aggregator = coin.key === null ? [] : [{ handle: aggregatorTable, key: coin.key, limit: String(maxU128) }]
    const counted = [{ aggregator: { vec: aggregator }, integer: { vec: integer } }]
    const supply = { vec: integer.length + aggregator.length === 0 ? [] : counted }
    return { write: `0x1::coin::CoinInfo<${coin.type}>`, address: '0x1', data: { ...coin.now, supply } }
  }

  /** What a change of the coin's supply writes. */
  function supplyChange(coin: V1): InventedChange {
    return coin.key === null ? infoOf(coin) : { handle: aggregatorTable, key: coin.key, value: String(coin.supply) }
  }

  /** The whole group of the object, as every change of one resource writes it, in any order. */
  function groupOf(asset: V2, withObject = true): InventedChange[] {
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

  function newCoin(): InventedChange[] {
    const type = `${address()}::m${made}::C${random.chance(0.3) ? '<0x1::a::B, vector<0xab::c::D>>' : ''}`
    const first = names()
    const kind = random.pick(['integer', 'integer', 'aggregator', 'none'] as const)
    const supply = kind === 'none' ? null : BigInt(random.int(1_000))
    const key = kind === 'aggregator' ? address() : null
    const coin: V1 = { standard: 'v1', type, first, now: first, version: next(), key, supply, maximum: null }
    coins.push(coin)
    const info = infoOf(coin)
    return key === null ? [info] : [info, supplyChange(coin)]
  }

  function newAsset(paired: V1 | null = null): InventedChange[] {
    const own = { ...names(), icon: random.pick(['', 'https://i.example/a?b="c"']), project: '', owner: address() }
    const first = paired ? { ...own, ...paired.now } : own
    const kind = paired
      ? 'ConcurrentSupply'
      : random.pick(['Supply', 'ConcurrentSupply', 'ConcurrentSupply', null] as const)
    const supply = kind === null ? null : 0n
    const maximum = kind === null || paired || random.chance(0.6) ? null : random.uint256() >> 128n || 1n
    const asset: V2 = {
      ...{ standard: 'v2', address: address(), first, now: first, version: next(), kind, supply, maximum },
      ...{ paired, deleted: false },
    }
    assets.push(asset)
    return groupOf(asset)
  }

  const next = () => chain.head() + 1n
  const change = (supply: bigint) => {
    const by = random.chance(0.1) ? random.uint256() >> 140n : BigInt(random.int(5_000))
    return random.chance(0.5) || by > supply ? supply + by : supply - by
  }
  const living = () => assets.filter(({ deleted }) => !deleted)

  /** The changes of one transaction, some of which need something to be there. */
  const ways: (() => InventedChange[])[] = [
    newCoin,
    () => newAsset(),
    // Pairs at most once, and at once.
    () => {
      const coin = coins.find((one) => !pairOf(one) && random.chance(0.2))
      return coin ? newAsset(coin) : []
    },
    // Mints and burns.
    ...[1, 2].map(() => () => {
      const coin = coins.length > 0 ? random.pick(coins) : undefined
      if (!coin || coin.supply === null) return []
      coin.supply = change(coin.supply)
      return [supplyChange(coin)]
    }),
    ...[1, 2].map(() => () => {
      const asset = living().length > 0 ? random.pick(living()) : undefined
      if (!asset || asset.supply === null) return []
      asset.supply = change(asset.supply)
      return groupOf(asset)
    }),
    // Converts a part of a coin into the asset that stands for it: the sum stays.
    () => {
      const asset = living().find(({ paired }) => paired && random.chance(0.5))
      const coin = asset?.paired
      if (!asset || !coin || coin.supply === null) return []
      const part = coin.supply / 3n
      coin.supply -= part
      asset.supply! += part
      return [supplyChange(coin), ...groupOf(asset)]
    },
    // Changes names, which does not matter, and decimals, which do; upgrades the supply.
    () => {
      const asset = living().length > 0 ? random.pick(living()) : undefined
      if (!asset) return []
      asset.now = { ...asset.now, ...names(), owner: address() }
      if (asset.kind === 'Supply') asset.kind = 'ConcurrentSupply'
      return groupOf(asset)
    },
    // Deletes an object whole, or so that only its core is gone.
    () => {
      const asset = living().length > 0 && random.chance(0.4) ? random.pick(living()) : undefined
      if (!asset) return [{ remove: '0x1::object::ObjectGroup', address: address() }]
      const isWhole = random.chance(0.5)
      asset.deleted = true
      const written = isWhole ? [] : groupOf(asset, false)
      asset.supply = null
      asset.maximum = null
      if (isWhole) asset.now = { ...asset.now }
      return isWhole ? [{ remove: '0x1::object::ObjectGroup', address: asset.address }] : written
    },
    // An object that is none of ours.
    () => [{ write: '0x1::object::ObjectCore', address: address(), data: { owner: '0x1' } }],
  ]

  function note(): void {
    const version = chain.head()
    for (const one of [...coins, ...assets]) {
      const of = typeOf(one)
      const points = seen.get(of) ?? []
      const supply = supplyOf(one)
      if (points.at(-1)?.supply !== supply || points.length === 0) points.push({ version, supply })
      seen.set(of, points)
    }
  }

  return {
    happen(times) {
      for (let i = 0; i < times; i++) {
        const way = random.pick(ways)
        const makes = way === ways[0] || way === ways[1] || way === ways[2]
        // Failed transactions and blocks burn and mint too, and deploy nothing.
        const kind = !makes && random.chance(0.2) ? 'block' : 'user'
        const success = makes || random.chance(0.8)
        const timestampMicros = 1_700_000_000_000_000n + BigInt(chain.transactions.length) * 137_000n
        chain.add(inventTransaction({ changes: way(), kind, success, timestampMicros }))
        note()
      }
    },
    expected() {
      const all = [...coins, ...assets].map((one): ExpectedCoin => {
        const common = {
          ...{ coin_type: typeOf(one), name: one.first.name, symbol: one.first.symbol, decimals: one.now.decimals },
          transaction_version_created: String(one.version),
          ...{ token_standard: one.standard, supply: supplyOf(one), maximum_supply: one.maximum?.toString() ?? null },
        }
        if (one.standard === 'v1') {
          const pair = pairOf(one)
          const creator = pad(one.type.split('::')[0]!)
          const uris = { icon_uri: null, project_uri: null, paired_coin_type: null }
          return {
            ...common,
            ...uris,
            creator_address: creator,
            paired_asset_type: pair ? typeOf(pair) : null,
            deleted: false,
          }
        }
        const { icon, project, owner } = one.first
        return {
          ...{ ...common, creator_address: pad(owner), icon_uri: icon, project_uri: project },
          ...{ paired_coin_type: one.paired?.type ?? null, paired_asset_type: null, deleted: one.deleted },
        }
      })
      const versionOf = (one: ExpectedCoin) => Number(one.transaction_version_created)
      return all.toSorted((a, b) => versionOf(b) - versionOf(a) || (hashOf(a.coin_type) < hashOf(b.coin_type) ? -1 : 1))
    },
    someSupply() {
      const coin = random.pick([...seen.keys()])
      const points = seen.get(coin)!
      const first = points[0]!.version
      const version = first + BigInt(random.int(Number(chain.head() - first) + 1))
      return { coin, version, supply: points.findLast((point) => point.version <= version)!.supply }
    },
  }
}
