import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { createScriptedChain } from '../../../test/scriptedChain.ts'
import { insertBlocks } from '../../sync/chainStore.ts'
import type { OpenChain } from '../../sync/openChains.ts'
import { HistoryLaggingError } from './historyError.ts'
import { readPastHeaders } from './readPastHeaders.ts'

const never = new AbortController().signal
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('behavior: headers of an undone fork, and headers that a node lacks, are rejected as history', async () => {
  const { db } = database
  const chain = createScriptedChain(`0x${'aa'.repeat(20)}`, 2)
  for (let i = 0; i < 10; i++) chain.add([])
  const open = { chain: { id: 1n, name: 'eth' }, source: chain.source } as unknown as OpenChain
  const read = (from: bigint, to: bigint) => readPastHeaders(db, open, { from, to }, never)
  const headers = await chain.source.headers(5n, 10n)
  // The database does not keep older blocks.
  await db.transaction((tx) => insertBlocks(tx, 1n, headers))
  expect((await read(0n, 10n)).map(({ number }) => number)).toEqual(Array.from({ length: 11 }, (_, i) => BigInt(i)))
  await expect(read(8n, 11n)).rejects.toBeInstanceOf(HistoryLaggingError)
  chain.drop(2)
  for (let i = 0; i < 3; i++) chain.add([])
  expect(await read(0n, 8n)).toHaveLength(9)
  await expect(read(3n, 9n)).rejects.toThrow('has another block 9 than the one that is followed')
})
