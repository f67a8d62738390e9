import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { CollectionMovedError } from '../../../util/errors.ts'
import type { CollectionState } from '../../query.ts'
import { createNftQuery } from '../createNftQuery.ts'
import { rejectMoved, rejectMovedOf } from './syncPosition.ts'

const address = `0x${'5b'.repeat(20)}` as const
let database: TestDatabase
let state: CollectionState

beforeAll(async () => {
  database = await createTestDatabase()
  await seedCollection(database.db, { address })
})
afterAll(() => database.drop())
beforeEach(async () => {
  await at({ version: 5n, block: 10n })
  state = (await createNftQuery(database).state(1n, address))!
})

async function at({ version, block }: { version: bigint; block: bigint }): Promise<void> {
  const { db } = database
  await db.run('UPDATE collection SET version = $1', [version])
  await db.run('UPDATE chain SET block_number = $1, block_hash = int8send($1)', [block])
}

test('default: rows of the version of the state are accepted, even after the collection has moved on', async () => {
  await at({ version: 6n, block: 11n })
  await rejectMoved(database.db, state, 5n)
  await rejectMoved(database.db, state, Buffer.from('5'), { ranked: true })
})

test('behavior: rows of a later version are accepted where only metadata differs, unless they are ranked', async () => {
  await at({ version: 6n, block: 10n })
  await rejectMoved(database.db, state, 6n)
  await expect(rejectMoved(database.db, state, 6n, { ranked: true })).rejects.toThrow(CollectionMovedError)
})

test('error: rejects rows of a later version at another block', async () => {
  await at({ version: 6n, block: 11n })
  await expect(rejectMoved(database.db, state, 6n)).rejects.toThrow(CollectionMovedError)
  await expect(rejectMovedOf(database.db, [state])).rejects.toThrow(CollectionMovedError)
})

test('error: rejects rows of an undone block, even after the chain has returned to the block of the state', async () => {
  await at({ version: 7n, block: 10n })
  await expect(rejectMoved(database.db, state, 6n)).rejects.toThrow(CollectionMovedError)
})

test('error: rejects rows of a removed collection', async () => {
  await database.db.run('DELETE FROM collection')
  await expect(rejectMoved(database.db, state, null)).rejects.toThrow(CollectionMovedError)
  await expect(rejectMovedOf(database.db, [state])).rejects.toThrow(CollectionMovedError)
  await seedCollection(database.db, { address })
})

test('default: a state without a fixed block is not checked', async () => {
  const sql = {} as never
  await rejectMoved(sql, { ...state, syncPosition: null }, 9n)
  await rejectMovedOf(sql, [{ ...state, syncPosition: null }])
})
