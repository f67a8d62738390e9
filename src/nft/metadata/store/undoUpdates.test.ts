import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { addTokens, seedCollection } from '../../../../test/seedCollection.ts'
import { recordUpdates, revertUpdates } from './undoUpdates.ts'

const address = `0x${'ab'.repeat(20)}` as const
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test.each([true, false])(
  'behavior: a reorg has a token read again that was changed before it was stored, unless all were stored (%s)',
  async (isWhole) => {
    const { db } = database
    await db.transaction((tx) => tx.script('TRUNCATE collection, token, metadata_due, metadata_undo'))
    const key = await seedCollection(db, { address })
    const collection = { ...key, chainId: 1n, address, standard: 'ERC721', idInData: false } as const
    const changes = { received: [], changed: [{ collection, tokenId: '7' }], burned: [], ranges: [], contracts: [] }
    const block = { chainId: 1n, number: 11n, isWhole: () => isWhole }
    await db.transaction((tx) => recordUpdates(tx, changes, block))
    await addTokens(db, { address, ...key, tokens: [7n, 8n] })
    await db.transaction((tx) => revertUpdates(tx, 1n, 10n, 0))
    expect(await db.rows('SELECT token_id::int4 FROM metadata_due')).toEqual(isWhole ? [] : [[7]])
  },
)
