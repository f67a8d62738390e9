import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { bytesOf } from '../../db/pipeline/byteRows.ts'
import { createNftQuery } from '../../nft/pages/createNftQuery.ts'
import { createOriginQuery } from '../../nft/pages/origins/createOriginQuery.ts'
import type { Address } from '../../util/hex.ts'
import { readNamed } from './records/readNfts.ts'

const address: Address = `0x${'5a'.repeat(20)}`

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const tokens = Array.from({ length: 100 }, (_, i) => BigInt(i))
  await seedCollection(database.db, { address, tokens })
})
afterAll(() => database.drop())

test('behavior: reading a batch of 100 tokens sends its statements concurrently', async () => {
  const { db } = database
  const state = (await createNftQuery({ db }).state(1n, address))!
  let waiting = 0
  let mostAtOnce = 0
  let statements = 0
  /** Each statement is delayed until the concurrent ones were sent. */
  async function rows(text: string, values?: unknown[]) {
    statements++
    mostAtOnce = Math.max(mostAtOnce, ++waiting)
    await new Promise((resolve) => setImmediate(resolve))
    waiting--
    return db.rows(text, values)
  }
  const counted = { ...db, rows } as typeof db
  const nfts = await readNamed({
    nft: createNftQuery({ db: counted, reader: { ...counted, ...bytesOf(counted) } }),
    origins: createOriginQuery({ db: counted, openChains: undefined as never }),
    chainId: 1n,
    tokens: Array.from({ length: 100 }, (_, i) => ({ address, tokenId: BigInt(i) })),
    snapshots: new Map(),
    states: new Map([[address, { ...state, checkedAt: null }]]),
  })
  expect(nfts.map((text) => JSON.parse(text).tokenId)).toEqual(Array.from({ length: 100 }, (_, i) => String(i)))
  expect([statements, mostAtOnce]).toEqual([2, 2])
})
