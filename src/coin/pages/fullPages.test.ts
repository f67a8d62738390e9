// @module-tag system

import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { rowsRead } from '../../../test/rowsRead.ts'
import { createCoinQuery } from './createCoinQuery.ts'

const count = 20_000

test.each(['v1', 'v2', 'all'] as const)(
  'behavior: a page of %s reads only the states of its coins, even with a plan made on empty tables',
  async (standard) => {
    const { db, drop } = await createTestDatabase()
    onTestFinished(drop)
    await db.transaction(async (tx) => {
      // Connections of pages keep their first plan, so this test uses generic plans.
      await tx.script('SET LOCAL plan_cache_mode = force_generic_plan')
      await tx.run(`INSERT INTO coin_network (name, to_version, head_version) VALUES ('mainnet', $1, $1)`, [10 * count])
      const query = createCoinQuery({ db: tx })
      const read = async (offset: number) => {
        const state = (await query.network('mainnet'))!
        return query.latest({ state, after: null, offset, limit: 100, standard })
      }
      await read(0)
      await query.byHash((await query.network('mainnet'))!, ['0'.repeat(64)], standard)
      await tx.run(
        `INSERT INTO coin (network_id, coin_type_hash, imported, shown, version, record, standard, details, paired_hash)
       SELECT n.id, sha256(v::text::bytea), false, true, v,
         format('{"coin_type":"%s","coin_type_hash":"%s","decimals":8,"transaction_version_created":"%s"}', v, encode(sha256(v::text::bytea), 'hex'), v),
         1 + v % 2, CASE WHEN v % 2 = 1 THEN '"icon_uri":"","project_uri":"","paired_coin_type":null' END,
         CASE WHEN v % 2 = 1 THEN sha256((v - 1)::text::bytea) END
       FROM coin_network n, generate_series(1, $1::int) v`,
        [count],
      )
      // Each asset was written five times.
      await tx.run(
        `INSERT INTO coin_state (network_id, subject, version, decimals, supply, deleted, points)
       SELECT n.id, sha256(v::text::bytea), v + w, 8, v, false, ''
       FROM coin_network n, generate_series(1, $1::int) v, generate_series(1, 5) w`,
        [count],
      )
      await tx.run('UPDATE coin_network SET shown_version = $1, version = version + 1', [10 * count])
      for (const offset of [0, 500]) {
        let records: string[] = []
        const ofStates = await rowsRead(tx, 'coin_state', async () => {
          records = (await read(offset)).records
        })
        expect(records).toHaveLength(100)
        // A coin has the supply of the asset that represents it besides its own: 2 for those with one.
        const { coin_type: type, supply } = JSON.parse(records[1]!) as { coin_type: string; supply: string }
        expect(Number(supply)).toBe(Number(type) % 2 === 1 ? Number(type) : 2 * Number(type) + 1)
        // The page reads at most two states of 101 coins, each with its index entry.
        expect(ofStates).toBeLessThan(4 * 101 + 1)
        expect(await rowsRead(tx, 'coin', () => read(offset))).toBeLessThan(2 * (offset + 101) + 4 * 101)
        const state = (await query.network('mainnet'))!
        const hashes = records
          .slice(0, 25)
          .map((record) => (JSON.parse(record) as { coin_type_hash: string }).coin_type_hash)
        expect(await rowsRead(tx, 'coin', () => query.byHash(state, hashes, standard))).toBeLessThan(5 * 25)
        expect(
          await rowsRead(tx, 'coin_state', () => query.supply(state, hashes[0]!, 10n * BigInt(count))),
        ).toBeLessThan(9)
      }
    })
  },
)
