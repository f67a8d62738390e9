import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatements } from '../../../../test/countStatements.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import type { Address } from '../../../util/hex.ts'
import { insertKnown, readUnnamed, setNames } from '../../store/knownContracts.ts'
import { createKnownSymbols } from './knownSymbols.ts'

const chainId = 1n
const known = { address: `0x${'a1'.repeat(20)}` as Address, standard: 'ERC721' } as const
const everyPartition = Array.from({ length: 256 }, (_, i) => BigInt(i))

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('behavior: names are requested from the primary once, and a known symbol needs no statement there', async () => {
  const { db } = database
  const { counted: primary, statements } = countStatements(db)
  await insertKnown(db, chainId, [known], { discovered: false })
  const symbols = createKnownSymbols({ reader: db, primary })
  expect(await symbols(chainId, [known])).toEqual(new Map([[known.address, null]]))
  const requested = statements()
  expect(requested).toBeGreaterThan(0)
  const [unnamed] = await readUnnamed(db, everyPartition, 1)
  await setNames(db, unnamed!, { name: 'Known', symbol: 'KNOWN', standard: null })
  const inNewProcess = createKnownSymbols({ reader: db, primary })
  for (const read of [symbols, inNewProcess])
    expect(await read(chainId, [known])).toEqual(new Map([[known.address, 'KNOWN']]))
  expect(statements()).toBe(requested)
})

test('behavior: a contract whose row is missing, as after a crash, is stored and named', async () => {
  const { db } = database
  await db.run('DELETE FROM collection')
  await createKnownSymbols({ reader: db, primary: db })(chainId, [known])
  expect(await readUnnamed(db, everyPartition, 1)).toMatchObject([{ address: known.address }])
})
