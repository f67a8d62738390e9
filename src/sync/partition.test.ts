import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { type Address, bufferToHex, hexToBuffer } from '../util/hex.ts'
import { partitionOf, partitionSql } from './partition.ts'

const place = fc.tuple(
  fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
  fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes): Address => bufferToHex(bytes)),
)

test('behavior: SQL computes the same partition for an address', async () => {
  const { db, drop } = await createTestDatabase({ migrated: false, poolSize: 1 })
  onTestFinished(drop)
  await fc.assert(
    fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 100 }), async (places) => {
      const rows = await db.rows<[number]>(
        `SELECT ${partitionSql('v.chain', 'v.address')} FROM unnest($1::bigint[], $2::bytea[]) WITH ORDINALITY AS v (chain, address, place)
         ORDER BY v.place`,
        [places.map(([chain]) => chain), places.map(([, address]) => hexToBuffer(address))],
      )
      expect(rows.flat()).toEqual(places.map(([chain, address]) => partitionOf(chain, address)))
    }),
    { numRuns: 30 },
  )
})
