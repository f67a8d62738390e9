export type InventedCoin = {
  /** `0x…::module::Name`. */
  type: string
  decimals?: number
  name: string
  symbol: string
  supply?: { handle: string; key: string }
}

export type InventedTransaction = {
  /** None: a transfer that writes other resources. */
  coins?: readonly InventedCoin[]
  kind?: 'genesis' | 'user' | 'block'
  success?: boolean
  timestampMicros?: bigint
}

/** A transaction that nobody made, in both forms that nodes give. */
export function inventTransaction(options: InventedTransaction): { proto: object; rest: object } {
  const { coins = [], kind = 'user', success = true, timestampMicros = 1_700_000_000_000_000n } = options
  const resources: [type: string, data: object][] = [
    ['0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>', { coin: { value: '12' }, frozen: false }],
    ...coins.map((coin): [string, object] => [`0x1::coin::CoinInfo<${coin.type}>`, coinInfo(coin)]),
    ['0x1::account::Account', { sequence_number: '7' }],
  ]
  const types = {
    genesis: ['TRANSACTION_TYPE_GENESIS', 'genesis_transaction'],
    user: ['TRANSACTION_TYPE_USER', 'user_transaction'],
    block: ['TRANSACTION_TYPE_BLOCK_METADATA', 'block_metadata_transaction'],
  }[kind]
  const seconds = timestampMicros / 1_000_000n
  const nanos = Number(timestampMicros % 1_000_000n) * 1_000
  return {
    proto: {
      ...(kind === 'genesis' ? {} : { timestamp: { seconds: String(seconds), nanos } }),
      type: types[0],
      info: {
        success,
        changes: resources.map(([typeStr, data]) => ({
          type: 'TYPE_WRITE_RESOURCE',
          writeResource: { address: '0x1', typeStr, data: JSON.stringify(data) },
        })),
      },
    },
    rest: {
      type: types[1],
      success,
      ...(kind === 'genesis' ? {} : { timestamp: String(timestampMicros) }),
      changes: resources.map(([type, data]) => ({ type: 'write_resource', address: '0x1', data: { type, data } })),
    },
  }
}

function coinInfo({ decimals = 8, name, symbol, supply }: InventedCoin): object {
  const aggregator = { vec: supply ? [{ ...supply, limit: '340282366920938463463374607431768211455' }] : [] }
  return { decimals, name, symbol, supply: { vec: supply ? [{ aggregator, integer: { vec: [] } }] : [] } }
}
