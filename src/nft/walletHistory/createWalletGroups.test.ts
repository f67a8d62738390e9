import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { createWalletGroups } from './createWalletGroups.ts'
import { mostTogether } from './walletTopics.ts'

const chainId = 1n
const served = { chains: [chainId], partitions: [7n], lent: new Map() }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  await db.run(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, from_block, coverage, turn_at)
     SELECT 7, $1, decode(lpad(to_hex(n), 40, '0'), 'hex'), 0, 'syncing', 0, int8multirange(int8range(0, n % 4 + 1)), now() - make_interval(secs => 100 - n)
     FROM generate_series(1, 40) n`,
    [chainId],
  )
})
afterAll(() => database?.drop())

test('behavior: starts only as many wallet groups as slots are free, and the other wallets keep their place', async () => {
  const { db } = database
  const groups = createWalletGroups(db)
  const of = { served, chain: chainId, except: [] }
  const before = await waiting()
  const taken = await groups.take({ ...of, limit: 2 })
  expect(taken.map(({ length }) => length)).toEqual([10, 10])
  const ids = new Set(taken.flat().map(({ id }) => id))
  const after = await waiting()
  for (const [id, at] of before) expect(Number(after.get(id)) === Number(at)).toBe(!ids.has(id))
  // Now each of these wallets is a separate group.
  groups.setApart([...after.keys()].map((id) => ({ partition: 7, id })))
  const apart = await groups.take({ ...of, except: [...ids], limit: 3 })
  expect(apart.map(({ length }) => length)).toEqual([1, 1, 1])
  // Now a full group of wallets lacks the same blocks.
  await db.run(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, from_block, coverage, turn_at)
     SELECT 7, $1, decode(lpad(to_hex(n), 40, '0'), 'hex'), 0, 'queued', 0, '{}', now() FROM generate_series(101, 101 + $2::int) n`,
    [chainId, mostTogether],
  )
  const full = await groups.take({
    ...of,
    except: [...after.keys()],
    limit: 3,
    fullOnly: true,
  })
  expect(full.map(({ length }) => length)).toEqual([mostTogether])
})

async function waiting() {
  return new Map(await database.db.rows<[bigint, Date]>('SELECT id, turn_at FROM wallet'))
}
