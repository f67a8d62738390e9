import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import type { AptosSource, AptosTransaction } from '../chain/aptos/source.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createLeases, type Leases } from '../sync/leases/lease.ts'
import { noopLog } from '../util/log.ts'
import { createWorkPriority } from '../util/workPriority.ts'
import { createNetwork } from './createNetwork.ts'
import { createCoinQuery } from './pages/createCoinQuery.ts'
import { readNetworks } from './readNetworks.ts'

let database: TestDatabase
let leases: Leases | undefined
let reading: Promise<void> | undefined
let stop: AbortController

beforeEach(async () => {
  database = await createTestDatabase()
  stop = new AbortController()
})
afterEach(async () => {
  stop.abort()
  await reading
  await leases?.close()
  await database.drop()
})

const data = { decimals: 8, name: 'Coin', symbol: 'C', supply: { vec: [] } }

/** Returns a transaction with a coin. Reading the `writes` of a faulty one throws, as it may for a list that is too long. */
function coinAt(version: bigint, isFaulty: boolean): AptosTransaction {
  const transaction = {
    ...({ version, kind: 'user', success: true, timestampMicros: 0n } as const),
    deleted: [],
    items: [],
  }
  if (!isFaulty)
    return { ...transaction, writes: [{ address: '0xa', type: `0x1::coin::CoinInfo<0xa::coin::C${version}>`, data }] }
  return Object.defineProperty({ ...transaction, writes: [] }, 'writes', {
    get() {
      throw new RangeError('Maximum call stack size exceeded')
    },
  })
}

/** A chain with a coin in each version up to a head that the test moves; counts how often each faulty version is returned. */
function scriptedSource(options: { faulty: Set<bigint>; batch: bigint }) {
  const given = new Map<bigint, number>()
  let head = 0n
  let moved = Promise.withResolvers<void>()
  const source: AptosSource = {
    rangeWidth: 100n,
    probesHead: false,
    has: async (version) => version <= head,
    ledger: async () => ({ chainId: 1, head, oldest: 0n }),
    async *read({ from, to }, signal) {
      for (let next = from; to === undefined || next <= to; ) {
        if (next > head) {
          await Promise.race([moved.promise, new Promise((done) => signal.addEventListener('abort', done))])
          if (signal.aborted) return
          continue
        }
        const last = [next + options.batch - 1n, to ?? head, head].reduce((a, b) => (a < b ? a : b))
        const transactions = Array.from({ length: Number(last - next + 1n) }, (_, i) => next + BigInt(i)).map(
          (version) => {
            const isFaulty = options.faulty.has(version)
            if (isFaulty) given.set(version, (given.get(version) ?? 0) + 1)
            return coinAt(version, isFaulty)
          },
        )
        yield { chainId: 1, from: next, to: last, head, transactions }
        next = last + 1n
      }
    },
    close: async () => undefined,
  }
  return {
    source,
    given,
    moveTo(version: bigint) {
      head = version
      moved.resolve()
      moved = Promise.withResolvers<void>()
    },
  }
}

async function read(source: AptosSource) {
  const { db } = database
  const options = { name: 'mainnet', startVersion: 0n, chainId: 1, rangesInFlight: 2, rangeWidth: 100 }
  const network = await createNetwork(db, { ...options, maxHeadAgeMs: 60_000, open: async () => source })
  leases = await createLeases({ db, log: noopLog, keys: { aptos: [BigInt(network.id)] }, onChange: () => {} })
  reading = readNetworks({
    networks: [network],
    leases,
    db,
    workPriority: createWorkPriority(),
    metrics: createMetrics(),
    log: noopLog,
    signal: stop.signal,
  })
}

const coverage = async () => (await database.db.rows<[string]>('SELECT coverage::text FROM coin_network'))[0]?.[0]
const state = () => createCoinQuery({ db: database.db }).network('mainnet')

test('behavior: a history range that cannot be processed is skipped and reported, and all others are read', async () => {
  const chain = scriptedSource({ faulty: new Set([250n]), batch: 100n })
  chain.moveTo(1_000n)
  await read(chain.source)
  await expect.poll(coverage).toBe('{[0,200),[300,1001)}')
  // Following continues after the range and still reports it.
  chain.moveTo(1_100n)
  await expect.poll(coverage).toBe('{[0,200),[300,1101)}')
  expect(await state()).toMatchObject({
    synced: false,
    toVersion: 199n,
    failure:
      'versions 200 to 299 are skipped, and retried once an hour and after a restart: internal error, see the log',
  })
  expect(chain.given.get(250n)).toBe(3)
})

test('behavior: versions at the head that cannot be processed are skipped and reported', async () => {
  const chain = scriptedSource({ faulty: new Set([15n]), batch: 10n })
  chain.moveTo(9n)
  await read(chain.source)
  await expect.poll(coverage).toBe('{[0,10)}')
  chain.moveTo(19n)
  await expect.poll(async () => (await state())?.failure).toMatch(/^versions 10 to 19 are skipped/)
  chain.moveTo(29n)
  await expect.poll(coverage).toBe('{[0,10),[20,30)}')
  expect((await state())?.failure).toMatch(/^versions 10 to 19 are skipped/)
  expect(chain.given.get(15n)).toBe(3)
})
