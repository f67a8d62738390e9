import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { onCluster } from '../../../test/onCluster.ts'
import { rowsRead } from '../../../test/rowsRead.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import type { Address } from '../../util/hex.ts'
import type { AsOf } from '../asOfQuery.ts'
import type { HolderPlace } from '../query.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { createNftQuery } from './createNftQuery.ts'
import { ownersAsOf } from './ownersAsOf.ts'
import { createTokenHolders } from './tokenHolders.ts'

const address: Address = `0x${'5a'.repeat(20)}`
const token = tokenHash(address, '1')

// A node of a cluster counts the rows that its own connections read.
test.skipIf(onCluster)(
  'behavior: a walk through the owners of an ERC-1155 token at a block adds its transfers once',
  async () => {
    const { db, drop } = await createTestDatabase()
    onTestFinished(drop)
    const { partition, id } = await seedCollection(db, {
      address,
      tokens: [1n],
      columns: { standard: 'ERC1155' },
      chain: { block: 10_000n, head: 10_000n },
    })
    const holders = 2_000
    // Each holder gets two units, and the first one sends one unit away after the block.
    await db.run(
      `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, operator, transaction_hash, block_hash, block_time)
     SELECT $1::int2, $2::int8, (100 + n)::int8 << 20, 0, 1, decode(repeat('00', 20), 'hex'), decode(lpad(to_hex(n), 40, '0'), 'hex'), 2, '\\x01'::bytea, '\\x01'::bytea, '\\x02'::bytea, 1700000000
     FROM generate_series(1, $3::int) n
     UNION ALL SELECT $1::int2, $2::int8, 9000::int8 << 20, 0, 1, decode(lpad('1', 40, '0'), 'hex'), decode(repeat('77', 20), 'hex'), 1, '\\x01'::bytea, '\\x01'::bytea, '\\x02'::bytea, 1700000000`,
      [partition, id, holders],
    )
    await db.run(
      'UPDATE token SET erc1155 = true, transfers = $1::int + 1, first_position = 101::int8 << 20, last_position = 9000::int8 << 20',
      [holders],
    )
    const known = (await createNftQuery({ db }).state(1n, address))!
    const state = { ...known, standard: 'ERC1155' as const }
    const asOf: AsOf = {
      block: 5_000n,
      hash: `0x${'00'.repeat(32)}`,
      skipped: { oversizedLogs: 0n, overLimitTransfers: 0n },
    }
    await db.transaction(async (tx) => {
      const tokenHolders = createTokenHolders(tx)
      const owners: (string | null)[] = []
      const amounts = new Set<string | undefined>()
      const read = await rowsRead(tx, 'transfer', async () => {
        for (let after: HolderPlace | null = null; ; ) {
          const page = await ownersAsOf(tx, { state, asOf, token, after, limit: 300 }, tokenHolders)
          if (page === 'moved') throw new Error('moved')
          for (const { holder, line } of page.lines) {
            owners.push(holder)
            amounts.add(/"amount":"(\d+)"/.exec(line)?.[1])
          }
          after = page.last
          if (!after) break
        }
      })
      expect(owners).toEqual(Array.from({ length: holders }, (_, n) => `0x${(n + 1).toString(16).padStart(40, '0')}`))
      expect([...amounts]).toEqual(['2'])
      // Each transfer has two sides, and counts in the index and in the table.
      expect(read).toBeLessThanOrEqual(4 * holders + 10)
    })
  },
)
