const coin = {
  coin_type: '0x1::aptos_coin::AptosCoin',
  coin_type_hash: '91ceb1308a98389691e05158b07ed5f079ab78461a6bb8d5a4054b1bb5cb8bb6',
  creator_address: '0x0000000000000000000000000000000000000000000000000000000000000001',
  decimals: 8,
  name: 'Aptos Coin',
  supply_aggregator_table_handle: '0x1b854694ae746cdbd8d44186ca4929b2b337df21d1c74633be19b2710552fdca',
  supply_aggregator_table_key: '0x619dc29a0aac8fa146714058e8dd6d2d0f3bdf5f6331907bf91f3acd81e6935',
  symbol: 'APT',
  transaction_created_timestamp: '1970-01-01T00:00:00.000000Z',
  transaction_version_created: '0',
}
const supply = {
  coin_type_hash: coin.coin_type_hash,
  transaction_version: '2186504987',
  supply: '1161039481243391253',
}
const icon = {
  status: 'success',
  original_media_url: 'https://coins.example/apt.png',
  mimetype: 'image/png',
  category: 'image',
  parent_hash: '5d'.repeat(32),
  updatedAt: '2026-11-01T12:00:00.000Z',
  media_collection: Object.fromEntries(
    Object.entries({ low: 100, medium: 250, high: 256 }).map(([size, side]) => [
      size,
      { width: side, height: side, url: `http://127.0.0.1:8080/media/${'5d'.repeat(32)}/${size}.webp` },
    ]),
  ),
}
const page = { cursor: null, hasNextPage: false, result: [coin] }

/** Whole answers of the operations on coins, by operationId. */
export const coinExamples: Record<string, unknown> = {
  getLatestCoins: page,
  getCoinsByHashes: [coin],
  getLatestCoinsOfNetwork: page,
  getCoinsByHashesOfNetwork: [coin],
  getCoinSupply: supply,
  getCoinSupplyOfNetwork: supply,
  getCoinIcon: icon,
  getCoinIconOfNetwork: icon,
}
