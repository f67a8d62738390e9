import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import type { Address } from '../util/hex.ts'
import { createWidthStore } from './widthStore.ts'

const contract: Address = `0x${'aa'.repeat(20)}`
const [node, other] = ['1f'.repeat(32), '2e'.repeat(32)] as const

test('default: returns the last written width by chain, contract and node', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const store = createWidthStore(db, 5n)
  await store.write(contract, node, 300)
  await store.write(contract, node, 200)
  await store.write(contract, other, 100)
  await store.write(`0x${'bb'.repeat(20)}`, node, 50)
  expect(await store.read(contract)).toEqual(
    new Map([
      [node, 200],
      [other, 100],
    ]),
  )
  expect(await createWidthStore(db, 6n).read(contract)).toEqual(new Map())
})

test('behavior: at most 10,000 widths are kept, those of the latest reads', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  await db.run(
    `INSERT INTO log_width (chain_id, contract, endpoint, blocks, worked_at)
     SELECT 5, int4send(n), '\\x00', 1, now() - make_interval(secs => n) FROM generate_series(1, 10000) n`,
  )
  const store = createWidthStore(db, 5n)
  await store.write(contract, node, 300)
  expect(await db.rows("SELECT count(*), max(now() - worked_at) < interval '10000 s' FROM log_width")).toEqual([
    [10_000n, true],
  ])
  expect(await store.read(contract)).toEqual(new Map([[node, 300]]))
})
