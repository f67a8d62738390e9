import { createHash } from 'node:crypto'

/** A transaction as in a fullnode's REST API, with the fields that Mintmark reads. */
export type DemoTransaction = {
  version: string
  type: 'genesis_transaction' | 'user_transaction' | 'block_metadata_transaction'
  success: boolean
  /** Microseconds since 1970. */
  timestamp?: string
  changes: DemoWrite[]
}

/** A written resource. */
export type DemoWrite = { type: 'write_resource'; address: string; data: { type: string; data: object } }

const animals = [
  'Otter',
  'Heron',
  'Lynx',
  'Marten',
  'Ibis',
  'Wren',
  'Stoat',
  'Plover',
  'Newt',
  'Adder',
  'Finch',
  'Vole',
]
const things = ['Dollar', 'Gold', 'Point', 'Share', 'Credit', 'Shell', 'Stone', 'Leaf']

/** The first transaction of such a chain: it creates the coin for fees. */
export function genesisTransaction(): DemoTransaction {
  const aggregator = {
    handle: `0x1b85${'4a'.repeat(30)}`,
    key: `0x619d${'c2'.repeat(29)}a`,
    limit: '340282366920938463463374607431768211455',
  }
  const supply = { vec: [{ aggregator: { vec: [aggregator] }, integer: { vec: [] } }] }
  const info = { decimals: 8, name: 'Aptos Coin', symbol: 'APT', supply }
  return {
    version: '0',
    type: 'genesis_transaction',
    success: true,
    changes: [resource('0x1', '0x1::coin::CoinInfo<0x1::aptos_coin::AptosCoin>', info)],
  }
}

/** Deploys the n-th invented coin; every third one is a pool share of two others. */
export function coinTransaction(n: number, version: number, at: Date): DemoTransaction {
  const name = `${animals[n % animals.length]} ${things[Math.floor(n / animals.length) % things.length]}`
  const symbol = `${name.slice(0, 3).toUpperCase()}${n}`
  const pool = n > 2 && n % 3 === 0
  const type = pool ? `${ownerOf(n)}::pool::Share<${coinType(n - 1)}, ${coinType(n - 2)}>` : coinType(n)
  const supply = {
    vec: [
      {
        aggregator: { vec: [] },
        integer: { vec: [{ limit: '340282366920938463463374607431768211455', value: String(n) }] },
      },
    ],
  }
  const info = {
    decimals: pool ? 8 : n % 9,
    name: pool ? `${symbol} Pool` : name,
    symbol: pool ? `${symbol}-LP` : symbol,
    supply,
  }
  return user(version, at, [resource(ownerOf(n), `0x1::coin::CoinInfo<${type}>`, info)])
}

/** Transfers existing coins. */
export function transferTransaction(n: number, version: number, at: Date): DemoTransaction {
  const store = { coin: { value: String(version) }, frozen: false }
  return user(version, at, [resource(ownerOf(n), `0x1::coin::CoinStore<${coinType(n)}>`, store)])
}

export function blockTransaction(version: number, at: Date): DemoTransaction {
  return {
    version: String(version),
    type: 'block_metadata_transaction',
    success: true,
    timestamp: micros(at),
    changes: [],
  }
}

function user(version: number, at: Date, changes: DemoWrite[]): DemoTransaction {
  return { version: String(version), type: 'user_transaction', success: true, timestamp: micros(at), changes }
}

function resource(address: string, type: string, data: object): DemoWrite {
  return { type: 'write_resource', address, data: { type, data } }
}

function coinType(n: number): string {
  return `${ownerOf(n)}::coin::${animals[n % animals.length]}${n}`
}

/** An address in a type, as the chain prints it: without leading zeros. */
function ownerOf(n: number): string {
  const digits = createHash('sha256').update(`mintmark demo ${n}`).digest('hex')
  return `0x${digits.replace(/^0+/, '')}`
}

function micros(at: Date): string {
  return `${at.getTime()}${String(Math.floor(Math.random() * 1_000)).padStart(3, '0')}`
}
