import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { defineRow } from '../../db/defineRow.ts'
import { coveredTo, coveredToOf, syncPositionColumns, syncPositionOf } from './coveredTo.ts'

const rows = defineRow(syncPositionColumns)
const hash = Buffer.alloc(32, 0xab)

const collections = ['queued', 'syncing', 'live', 'none', 'nocode', 'failed'].flatMap((status) =>
  [null, 'why'].flatMap((reason) => [null, 7n].map((storedTo) => ({ status, reason, storedTo }))),
)
const chains = [null, { head: null, followed: null }, { head: 20n, followed: null }, { head: 20n, followed: 18n }]
const cases = collections.flatMap((collection) => chains.map((chain) => ({ ...collection, chain })))

test('default: the row and the SQL expression give the same collection state', async () => {
  const database = await createTestDatabase()
  const { db } = database
  for (const { status, reason, storedTo, chain } of cases) {
    const { head = null, followed = null } = chain ?? {}
    const [row] = await db.rows(
      `SELECT ${coveredTo}, ${rows.columns}
       FROM (SELECT $1::text AS status, $2::text AS reason, $3::int8 AS to_block, 5::int8 AS version) c
       CROSS JOIN (SELECT $4::int8 AS head_number, $5::int8 AS block_number, $6::bytea AS block_hash) h`,
      [status, reason, storedTo, head, followed, followed === null ? null : hash],
    )
    const [toBlock, ...columns] = row!
    const stored = rows.decode(columns)
    expect(coveredToOf(stored)).toBe(toBlock)
    const isFollowed = status === 'live' && followed !== null
    const parts = [5n, ...(toBlock === null ? [] : [toBlock]), ...(isFollowed ? [hash.toString('hex')] : [])]
    expect(syncPositionOf(stored)).toBe(parts.join(' '))
  }
  await database.drop()
})
