import { createHash } from 'node:crypto'
import type { Random } from '../random.ts'
import type { AptosChain } from './aptosChain.ts'
import { groupOf, infoOf, type Names, supplyChange, type V1, type V2 } from './assetWrites.ts'
import { type InventedChange, inventTransaction } from './inventedTransaction.ts'

/** The fields of a coin in API responses, besides its hash. */
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

/** An invented chain and the truth about it. Coins and assets are deployed, minted, burned, paired, changed and deleted at random. */
export type AssetWorld = {
  happen(times: number): void
  /** All coins in their current state, newest first. */
  expected(): ExpectedCoin[]
  /** A random supply that a coin had at some version. */
  someSupply(): { coin: string; version: bigint; supply: string | null }
}

const pad = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

export function createAssetWorld(chain: AptosChain, random: Random): AssetWorld {
  const coins: V1[] = []
  const assets: V2[] = []
  /** For each coin, the supply after each version that changed something. */
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
  /** Some addresses have fewer digits, because the chain prints addresses without leading zeros. */
  const address = () => `0x${(random.uint256() >> BigInt(random.pick([0, 0, 4, 200]))).toString(16)}`

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
    return groupOf(asset, random)
  }

  const next = () => chain.head() + 1n
  const change = (supply: bigint) => {
    const by = random.chance(0.1) ? random.uint256() >> 140n : BigInt(random.int(5_000))
    return random.chance(0.5) || by > supply ? supply + by : supply - by
  }
  const living = () => assets.filter(({ deleted }) => !deleted)

  /** The changes of one transaction. Some of them need an existing coin or asset. */
  const ways: (() => InventedChange[])[] = [
    newCoin,
    () => newAsset(),
    // Pairs a coin at most once, with its new asset.
    () => {
      const coin = coins.find((one) => !pairOf(one) && random.chance(0.2))
      return coin ? newAsset(coin) : []
    },
    // Moves the supply of a coin from an integer to an aggregator (`coin::upgrade_supply`).
    () => {
      const coin = coins.find((one) => one.key === null && one.supply !== null && random.chance(0.2))
      if (!coin) return []
      coin.key = address()
      return [infoOf(coin), supplyChange(coin)]
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
      return groupOf(asset, random)
    }),
    // Converts a part of a coin into the asset that represents it; the sum stays the same.
    () => {
      const asset = living().find(({ paired }) => paired && random.chance(0.5))
      const coin = asset?.paired
      if (!asset || !coin || coin.supply === null) return []
      const part = coin.supply / 3n
      coin.supply -= part
      asset.supply! += part
      return [supplyChange(coin), ...groupOf(asset, random)]
    },
    // Changes names, which does not matter, and decimals, which does; upgrades the supply.
    () => {
      const asset = living().length > 0 ? random.pick(living()) : undefined
      if (!asset) return []
      asset.now = { ...asset.now, ...names(), owner: address() }
      if (asset.kind === 'Supply') asset.kind = 'ConcurrentSupply'
      return groupOf(asset, random)
    },
    // Deletes a whole object, or only its core.
    () => {
      const asset = living().length > 0 && random.chance(0.4) ? random.pick(living()) : undefined
      if (!asset) return [{ remove: '0x1::object::ObjectGroup', address: address() }]
      const isWhole = random.chance(0.5)
      asset.deleted = true
      const written = isWhole ? [] : groupOf(asset, random, false)
      asset.supply = null
      asset.maximum = null
      if (isWhole) asset.now = { ...asset.now }
      return isWhole ? [{ remove: '0x1::object::ObjectGroup', address: asset.address }] : written
    },
    // An object that is not an asset.
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
        const makes = ways.indexOf(way) < 4
        // Failed transactions and blocks also mint and burn, but deploy nothing.
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
