export type InventedCoin = {
  /** `0x…::module::Name`. */
  type: string
  decimals?: number
  name: string
  symbol: string
  supply?: { handle: string; key: string }
}

/** A change of the chain's state, of any of the three kinds that Mintmark reads. */
export type InventedChange =
  | { write: string; address: string; data: unknown }
  | { remove: string; address: string }
  | { handle: string; key: string; value: string }

export type InventedTransaction = {
  /** Without coins: a transfer that writes other resources. */
  coins?: readonly InventedCoin[]
  /** Changes in addition to the coins. */
  changes?: readonly InventedChange[]
  kind?: 'genesis' | 'user' | 'block'
  success?: boolean
  timestampMicros?: bigint
}

/** An invented transaction in both forms that nodes return. */
export function inventTransaction(options: InventedTransaction): { proto: object; rest: object } {
  const { coins = [], changes = [], kind = 'user', success = true } = options
  const { timestampMicros = 1_700_000_000_000_000n } = options
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
        changes: [
          ...resources.map(([write, data]) => protoChange({ write, address: '0x1', data })),
          ...changes.map(protoChange),
        ],
      },
    },
    rest: {
      type: types[1],
      success,
      ...(kind === 'genesis' ? {} : { timestamp: String(timestampMicros) }),
      changes: [
        ...resources.map(([write, data]) => restChange({ write, address: '0x1', data })),
        ...changes.map(restChange),
      ],
    },
  }
}

function coinInfo({ decimals = 8, name, symbol, supply }: InventedCoin): object {
  const aggregator = { vec: supply ? [{ ...supply, limit: '340282366920938463463374607431768211455' }] : [] }
  return { decimals, name, symbol, supply: { vec: supply ? [{ aggregator, integer: { vec: [] } }] : [] } }
}

function protoChange(change: InventedChange): object {
  if ('write' in change) {
    const { write: typeStr, address, data } = change
    return { type: 'TYPE_WRITE_RESOURCE', writeResource: { address, typeStr, data: JSON.stringify(data) ?? '' } }
  }
  if ('remove' in change)
    return { type: 'TYPE_DELETE_RESOURCE', deleteResource: { address: change.address, typeStr: change.remove } }
  const { handle, key, value } = change
  const data = { key: JSON.stringify(key), keyType: 'address', value: JSON.stringify(value), valueType: 'u128' }
  return { type: 'TYPE_WRITE_TABLE_ITEM', writeTableItem: { handle, key, data } }
}

function restChange(change: InventedChange): object {
  if ('write' in change) {
    const { write: type, address, data } = change
    return { type: 'write_resource', address, data: { type, data } }
  }
  if ('remove' in change) return { type: 'delete_resource', address: change.address, resource: change.remove }
  const { handle, key, value } = change
  return { type: 'write_table_item', handle, key, value: littleEndian(value), data: null }
}

/** The bytes of a u128, as a node without a table index returns it. */
function littleEndian(value: string): string {
  return `0x${Buffer.from(BigInt(value).toString(16).padStart(32, '0'), 'hex').reverse().toString('hex')}`
}
