import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { lockWaits } from '../../../test/lockWaits.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Sql } from '../../db/database.ts'
import type { Address } from '../../util/hex.ts'
import { createMetadataDemand } from '../metadata/store/createMetadataDemand.ts'
import { takeMetadataSlices } from '../metadata/store/metadataStore.ts'
import type { CollectionState } from '../query.ts'
import { takeSlices } from '../store/collectionStore.ts'
import { lockCollection } from './lock.ts'

let database: TestDatabase
let addresses = 0

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

function seed(chainId: bigint, columns: Record<string, unknown>) {
  const address: Address = `0x${String(++addresses).padStart(40, '0')}`
  return seedCollection(database.db, { address, chainId, columns: { standard: 'ERC721', ...columns } })
}

const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))
const options = (chain: bigint) => ({
  served: { chains: [chain], partitions, lent: new Map() },
  ...{ chain, except: [], limit: 10 },
})

test.each([
  ['history', 501n, { status: 'syncing' }, (sql: Sql) => takeSlices(sql, options(501n))],
  ['metadata', 502n, { metadata_due_at: new Date(0) }, (sql: Sql) => takeMetadataSlices(sql, options(502n))],
] as const)(
  'behavior: time slices of %s do not wait for a collection that a transaction locks',
  async (_, chain, columns, take) => {
    const { db } = database
    const [free, held] = [await seed(chain, columns), await seed(chain, columns)]
    const taken = await db.transaction(async (tx) => {
      await tx.rows(lockCollection, [held.partition, held.id])
      return db.transaction(async (other) => {
        await other.script(`SET LOCAL lock_timeout = '2s'`)
        return take(other)
      })
    })
    expect(taken.map(({ id }) => id)).toEqual([free.id])
    expect((await take(db)).map(({ id }) => id)).toContain(held.id)
  },
)

test('behavior: a request for all metadata locks the collection before it changes its hosts', async () => {
  const { db } = database
  const key = await seed(503n, {})
  const hosts = ['a.example', 'b.example']
  const write = (sql: Sql, host: string) =>
    sql.run('UPDATE collection_host SET failures = failures + 1 WHERE collection_id = $1 AND host = $2', [key.id, host])
  for (const host of hosts)
    await db.run(
      `INSERT INTO collection_host (partition, collection_id, host, dead_since, fault_at, retry_at)
       VALUES ($1, $2, $3, '2020-01-01', '2020-01-01', '2020-01-01')`,
      [key.partition, key.id, host],
    )
  let tries = 0
  let requested: Promise<void> | undefined
  // A settling transaction does the same: it locks the collection first, then its hosts in another order.
  await db.transaction(async (tx) => {
    tries++
    await tx.rows(lockCollection, [key.partition, key.id])
    await write(tx, hosts[1]!)
    requested ??= createMetadataDemand({ db }).resyncAll(key as unknown as CollectionState)
    await expect.poll(() => lockWaits(db)).toBe(1)
    await write(tx, hosts[0]!)
  })
  await requested
  expect(tries).toBe(1)
  expect(await db.rows('SELECT failures FROM collection_host WHERE collection_id = $1', [key.id])).toEqual([[1], [1]])
})
