import { expect, test } from 'vitest'
import { encodeMessage } from '../../../test/aptos/encodeMessage.ts'
import { genesis, recordedMissing, recordedTransactions } from '../../../test/aptos/recorded.ts'
import { createTransactionsDecoder } from '../../chain/aptos/decodeTransactions.ts'
import { parseRestTransaction } from '../../chain/aptos/parseRest.ts'
import type { AptosTransaction } from '../../chain/aptos/source.ts'
import { type Coin, coinTypeHash } from './coin.ts'
import { aggregatorHash, type CoinState } from './coinState.ts'
import { decodeCoins, wantedChanges } from './decodeCoins.ts'

/** The expected record of an asset that a transaction wrote, as a first write, and its supply afterwards. */
type Expected = {
  file: string
  /** The address without leading zeros, as the transaction prints it. */
  address: string
  owner: string
  name: string
  symbol: string
  decimals: number
  icon?: string
  project?: string
  paired?: string
  supply: bigint
  maximum?: bigint
}

const mkl = '0x5ae6789dd2fec1a9ec9cccfb3acaf12e93d432f0a3a42c92fe1a9d490b7bbc06::mkl_token::MKL'
const apt = '0x1::aptos_coin::AptosCoin'
const scripted = { name: 'FA Coin', symbol: 'FA', decimals: 8 }
const uris = { icon: 'https://example.com/favicon.ico', project: 'https://example.com' }
const aptosCoin = { name: 'Aptos Coin', symbol: 'APT', decimals: 8 }
const pairedApt = { ...aptosCoin, address: '0xa', owner: '0x1', paired: apt }
const pairedMkl = {
  address: '0x878370592f9129e14b76558689a4b570ad22678111df775befbfcbc9fb3d90ab',
  ...{ owner: '0xa', name: 'MKL', symbol: 'MKL', decimals: 6, paired: mkl },
}
const bridge = '0x3b38735644d0be8ac37ebd84a1e42fa5c2487495ef8782f6c694b1a147f82426'

/** Written by hand from the transactions. */
const expected: Expected[] = [
  {
    file: 'scripted_transactions/fa_double_transfer.json',
    address: '0x77bc07c02b7c38abc5b9d7dbad97bd1e1ff4d4b24066c652d3884918f3e244a5',
    owner: '0x7a2e070df14c96d0808ffab6b735591221241c34f6c4b4a9fa34051f945b5197',
    ...{ ...scripted, ...uris, supply: 1_000_000n },
  },
  {
    file: 'scripted_transactions/fa_mint_transfer_burn.json',
    address: '0xfab779a7fb23b90d00312c9dd54194c4d147e6c391d052d07445c896b427980f',
    owner: '0xd857c1f1dc5303ffcdc47205ebddc02d485c9dce619fd4d00055d86b58143363',
    ...{ ...scripted, ...uris, supply: 0n },
  },
  {
    file: 'imported_testnet_txns/1255836496_v2_fa_metadata_.json',
    address: '0x4551f2167c446b219c4dee2aa5496395c82a465cd57c5b362621af451c5d062b',
    owner: '0x6cbd58aec3b1eb5aff37ece4dff62b829ecbc6b851ee94056e852bcde5690ab4',
    ...{ ...aptosCoin, supply: 17_374_075_418n },
  },
  { file: 'imported_testnet_txns/2646510387_concurrent_fa.json', ...pairedApt, supply: 126_973_053_239n },
  {
    file: 'imported_testnet_txns/4462417704_secondary_store_burnt.json',
    // The address has 63 digits.
    address: '0xd4c938456b88884e2b8ca56c7003ccefb4acd0c4f2bca8342c8290b97dca085',
    owner: '0x8933313486d5ee6b7102254d4e4e692e339127e8561d9c8a405b196a79193ca1',
    ...{ name: 'mirage dollar', symbol: 'mUSD', decimals: 8 },
    ...{ icon: 'https://static.mirage.money/assets/mUSD.svg', project: 'https://mirage.money' },
    supply: 11_613_950_859_225n,
  },
  { file: 'imported_mainnet_txns/1680592683_fa_migration_coin_info.json', ...pairedMkl, supply: 0n },
  {
    file: 'imported_mainnet_txns/1806220919_object_untransferable.json',
    address: '0x7f5170624083679dbb5a8119e3dec380d95fddfd0940a4fb7118c7d9db61d425',
    owner: '0xeab7ea4d635b6b6add79d5045c4a45d8148d88287b1cfa1c3b6a4b56f46839ed',
    ...{ name: 'aApt', symbol: 'AAPT', decimals: 8, supply: 254_362_465_131_536n },
  },
  {
    file: 'imported_mainnet_txns/1806220919_object_untransferable.json',
    address: '0xf8d3506b42a6879680974fc745526c9cbd48b0b0816079aa59f65fc865bdfbf6',
    owner: '0x53390ca959abc075b2d18d6c29e2168e62068ac24838b064fce51f16613cad09',
    ...{ name: 'Apt', symbol: 'APT', decimals: 8 },
    ...{ icon: 'https://aptoscan.com/images/empty-coin.svg', project: 'https://aptoscan.com' },
    ...{ supply: 186_521_510_104_405n, maximum: 1_000_000_000_000_000_000n },
  },
  {
    file: 'imported_mainnet_txns/1957950162_fa_migration_v2_store_only.json',
    ...{ ...pairedMkl, supply: 96_895_109_643_615n },
  },
  {
    file: 'imported_mainnet_txns/2186504987_coin_store_deletion_no_event.json',
    ...{ ...pairedApt, supply: 20_705_635_276_853n },
  },
  {
    file: 'imported_mainnet_txns/2448304257_coinstore_deletion_event.json',
    ...{ ...pairedApt, supply: 118_281_485_271_096n },
  },
  // These three have the older `Supply`.
  {
    file: 'imported_mainnet_txns/999929475_coin_and_fa_transfers.json',
    address: '0x234f0be57d6acfb2f0f19c17053617311a8d03c9ce358bdf9cd5c460e4a02b7c',
    owner: '0x4bf51972879e3b95c4781a5cdcb9e1ee24ef483e7d22f2d903626f126df62bd1',
    ...{ name: 'LP-USDC-APT', symbol: 'LP', decimals: 8, supply: 1_597_732_577_821n },
  },
  {
    file: 'imported_mainnet_txns/999929475_coin_and_fa_transfers.json',
    address: '0x50fdfa97914bd00b656e3041e143f157c84931eb1ca7224b8a8570e7d5be70f2',
    ...{ owner: bridge, name: 'USD Coin', symbol: 'USDC', decimals: 6, supply: 2_060_898_834_867n },
  },
  {
    file: 'imported_mainnet_txns/999929475_coin_and_fa_transfers.json',
    address: '0xedc2704f2cef417a06d1756a04a16a9fa6faaed13af469be9cdfcac5a21a8e2e',
    ...{ ...aptosCoin, owner: bridge, supply: 111_198_107_496_469n },
  },
]

const padded = (address: string) => `0x${address.slice(2).padStart(64, '0')}`

/** Decodes each recorded transaction from both kinds of nodes. */
function readBothWays(): { file: string; transactions: AptosTransaction[] }[] {
  const decode = createTransactionsDecoder(wantedChanges)
  return recordedTransactions().map(({ file, rest, proto }) => {
    const parsed = parseRestTransaction(rest, wantedChanges)
    const { transactions } = decode(encodeMessage([proto]))
    const isEmpty = parsed.writes.length + parsed.deleted.length + parsed.items.length === 0
    expect(transactions, file).toEqual(isEmpty ? [] : [parsed])
    return { file, transactions: [parsed, ...transactions] }
  })
}

function decodeAll(transaction: AptosTransaction) {
  return decodeCoins([transaction], (skipped) => expect.fail(`omitted: ${JSON.stringify(skipped)}`))
}

const assetsOf = (coins: readonly Coin[]) => coins.filter(({ asset }) => asset !== null)

test.skipIf(recordedMissing)(
  'default: each recorded fungible asset decodes to the expected record, and no other asset is decoded',
  () => {
    const remaining = new Set(expected)
    for (const { file, transactions } of readBothWays()) {
      const own = expected.filter((one) => one.file === file)
      for (const transaction of transactions) {
        const { coins, states } = decodeAll(transaction)
        const found = assetsOf(coins)
        expect(found.map(({ type }) => type).toSorted(), file).toEqual(
          own.map(({ address }) => padded(address)).toSorted(),
        )
        for (const one of own) {
          const coin = found.find(({ type }) => type === padded(one.address))!
          expect(coin, file).toEqual({
            type: padded(one.address),
            hash: coinTypeHash(padded(one.address)),
            creator: padded(one.owner).slice(2),
            ...{ name: one.name, symbol: one.symbol, decimals: one.decimals, supply: null },
            asset: { iconUri: one.icon ?? '', projectUri: one.project ?? '', pairedType: one.paired ?? null },
            ...{ version: transaction.version, createdMicros: transaction.timestampMicros },
          })
          expect(
            states.filter(({ subject }) => subject === coin.hash),
            file,
          ).toEqual([
            {
              ...{ subject: coin.hash, version: transaction.version, decimals: one.decimals },
              ...{ supply: one.supply, maximum: one.maximum ?? null, deleted: false },
            },
          ])
          remaining.delete(one)
        }
      }
    }
    expect([...remaining]).toEqual([])
  },
)

const supplyOf = (states: readonly CoinState[], type: string) =>
  states.find(({ subject }) => subject === coinTypeHash(type))

test.skipIf(recordedMissing)(
  'default: recorded coins decode to their supply if the coin counts it, and to null if not',
  () => {
    const found = new Map(readBothWays().map(({ file, transactions }) => [file, transactions]))
    const stable =
      '0x48271d39d0b05bd6efca2278f22277d6fcc375504f9839fd73f74ace240861af::stable_pool::StablePoolToken<0xf22bede237a07e121b56d91a491eb7bcdfd1f5907926a9e58338f964a01b17fa::asset::USDC, 0xf22bede237a07e121b56d91a491eb7bcdfd1f5907926a9e58338f964a01b17fa::asset::USDT, 0x48271d39d0b05bd6efca2278f22277d6fcc375504f9839fd73f74ace240861af::base_pool::Null, 0x48271d39d0b05bd6efca2278f22277d6fcc375504f9839fd73f74ace240861af::base_pool::Null>'
    const cases: [file: string, type: string, supply: bigint | null, decimals: number][] = [
      ['imported_mainnet_txns/152449628_coin_info_write.json', stable, 10_467_737_019_262n, 8],
      ['imported_mainnet_txns/1680592683_fa_migration_coin_info.json', mkl, null, 6],
      [
        'imported_testnet_txns/278556781_v1_coin_register_fa_metadata.json',
        '0x589dabf3b43ef5c331ea3c0f9b6b005860c1f0ef94a5948d133e051b20c22862::proton_cbdy::PRT_KFBCCC',
        ...([null, 10] as const),
      ],
    ]
    for (const [file, type, supply, decimals] of cases)
      for (const transaction of found.get(file)!) {
        const { states } = decodeAll(transaction)
        expect(supplyOf(states, type), file).toMatchObject({ supply, maximum: null, decimals, deleted: false })
      }
  },
)

/** The aggregator that counts the chain's own coin. */
const aptAggregator = aggregatorHash(
  '1b854694ae746cdbd8d44186ca4929b2b337df21d1c74633be19b2710552fdca',
  '0619dc29a0aac8fa146714058e8dd6d2d0f3bdf5f6331907bf91f3acd81e6935',
)

test.skipIf(recordedMissing)('default: the supply of APT is the value of its aggregator, which fees change', () => {
  const supplies = new Map<string, bigint | null>()
  for (const { file, transactions } of readBothWays())
    for (const transaction of transactions) {
      const state = decodeAll(transaction).states.find(({ subject }) => subject === aptAggregator)
      if (state) supplies.set(file, state.supply)
    }
  expect(supplies.get('scripted_transactions/fa_mint_transfer_burn.json')).toBe(18_446_744_073_709_335_525n)
  expect(supplies.size).toBeGreaterThan(80)
  // Genesis has no decoded value, but its bytes: 2^64.
  const { states } = decodeAll(parseRestTransaction({ ...genesis(), version: '0' }, wantedChanges))
  expect(states.find(({ subject }) => subject === aptAggregator)?.supply).toBe(18_446_744_073_709_551_616n)
  const { coins } = decodeAll(parseRestTransaction({ ...genesis(), version: '0' }, wantedChanges))
  expect(coins).toMatchObject([{ type: apt, asset: null }])
})
