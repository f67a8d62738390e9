import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { createMetadataDemand } from '../../nft/metadata/store/createMetadataDemand.ts'
import { createNftQuery } from '../../nft/pages/createNftQuery.ts'
import type { Address } from '../../util/hex.ts'
import type { Exchange } from '../http/route.ts'
import type { ApiChain } from '../nft/chains.ts'
import type { Collections } from '../nft/collections/collections.ts'
import { refreshTokens } from './refreshTokens.ts'

const address: Address = `0x${'5a'.repeat(20)}`
const ids = Array.from({ length: 100 }, (_, i) => BigInt(i))

test('behavior: a refresh of 100 tokens takes the statements of one token, all within the limits of its key', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  await seedCollection(db, { address, tokens: ids })
  const state = (await createNftQuery({ db }).state(1n, address))!
  let isScheduled = false
  const statements: boolean[] = []
  function count<F extends (...given: never[]) => unknown>(call: F): F {
    const counted = (...given: Parameters<F>) => {
      statements.push(isScheduled)
      return call(...given)
    }
    return counted as F
  }
  const counted = { rows: count(db.rows), transaction: count(db.transaction) } as typeof db
  const exchange = {
    async schedule(task: () => Promise<unknown>) {
      isScheduled = true
      const found = await task()
      isScheduled = false
      return found
    },
  } as unknown as Exchange
  const snapshot = { state, kind: 'page', isDue: false }
  const collections = {
    get: () => ({ recent: { read: async () => snapshot, forget: () => undefined } }),
    read: async () => [{ collection: { address }, snapshot }],
  } as unknown as Collections
  const tokens = [...ids, 100n].map((tokenId) => ({ address, tokenId }))
  await refreshTokens(
    { collections, metadata: createMetadataDemand({ db: counted }) },
    { chain: { id: 1n } as ApiChain, tokens, exchange, waitMs: 0 },
  )
  expect(statements).toEqual([true, true, true])
  const [due] = await db.rows('SELECT count(*) FROM metadata_due WHERE due_at <= now()')
  expect(due).toEqual([100n])
})
