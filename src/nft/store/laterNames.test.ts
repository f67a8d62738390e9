import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Address } from '../../util/hex.ts'
import { postponeNames, readUnnamed, setNames } from './knownContracts.ts'
import { goLive } from './liveCollections.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

let addresses = 0
const all = Array.from({ length: 256 }, (_, i) => BigInt(i))

test.each([
  { name: '', tokens: 1n, isDue: true },
  { name: null, tokens: 1n, isDue: true },
  { name: 'Named', tokens: 1n, isDue: false },
  { name: null, tokens: 0n, isDue: false },
  { name: null, tokens: 1_001n, isDue: false },
])(
  'default: the name of a collection that becomes live is read again if it had none: %o',
  async ({ name, tokens, isDue }) => {
    const { db } = database
    const address: Address = `0x${String(++addresses).padStart(40, '0')}`
    const columns = { status: 'syncing', name, coverage: '{[10,1001)}' }
    const key = await seedCollection(db, { address, columns })
    await db.run('UPDATE collection SET tokens = $2 WHERE id = $1', [key.id, tokens])
    expect(await db.transaction((tx) => goLive(tx, key, { from: 1_000n, to: 1_000n }))).toBe(1_000n)
    const due = async () => (await readUnnamed(db, all, 10)).filter(({ id }) => id === key.id)
    const [found] = await due()
    expect(found !== undefined).toBe(isDue)
    if (!found) return
    // Later, if it still has none.
    await postponeNames(db, found, 60)
    expect(await due()).toEqual([])
    await db.run(`UPDATE collection SET retry_at = 'epoch' WHERE id = $1`, [key.id])
    const identity = { name: 'Later', symbol: 'LTR', standard: 'ERC1155' } as const
    await setNames(db, (await due())[0]!, identity, 1_000n)
    expect(await due()).toEqual([])
    const stored = 'SELECT name, symbol, standard, learned_block, status, attempts FROM collection WHERE id = $1'
    expect(await db.rows(stored, [key.id])).toEqual([['Later', 'LTR', 'ERC721', 1_000n, 'live', 0]])
  },
)
