import { expect, test } from 'vitest'
import { checkLedger } from '../../src/stream/ledger/checkLedger.ts'
import type { Address } from '../../src/util/hex.ts'
import { openScriptedStreams } from './scriptedStreams.ts'
import { mintBlocks, stepAll } from './scriptedTruth.ts'

test('behavior: logs of spam contracts reach only streams without the spam filter, in history and at the head', async () => {
  const spam = new Set<Address>()
  await using t = await openScriptedStreams(8, { spam, sender: 1 })
  spam.add(t.chain.address)
  mintBlocks(t, 10)
  await stepAll(t)
  const [filtered, whole] = [
    await t.create({ from: 1n, all: true, filterPossibleSpam: true }),
    await t.create({ from: 1n, all: true }),
  ]
  const withTxs = await t.create({ from: 1n, all: true, txs: true, filterPossibleSpam: true })
  await t.settle()
  mintBlocks(t, 3)
  await t.settle()
  // From now on, the contract no longer counts as spam.
  spam.clear()
  mintBlocks(t, 2)
  await t.settle()

  const rows = await t.db.rows<[string, number, number]>(
    `SELECT stream_id::text, min(block_number)::int, max(block_number)::int FROM webhook WHERE kind = 'unconfirmed' GROUP BY 1`,
  )
  expect(Object.fromEntries(rows.map(([id, from, to]) => [id, [from, to]]))).toMatchObject({
    [filtered]: [14, 15],
    [whole]: [expect.any(Number), 15],
  })
  const bodies = await t.db.rows<[number, string]>(
    `SELECT w.block_number::int, b.body FROM webhook w JOIN webhook_body b USING (partition, position) WHERE w.stream_id = $1 AND w.kind = 'confirmed'`,
    [withTxs],
  )
  expect(bodies.length).toBeGreaterThan(5)
  for (const [block, body] of bodies) {
    const { logs, txs } = JSON.parse(body)
    expect([logs.length > 0, txs.length > 0]).toEqual([block > 13, true])
  }
  expect((await checkLedger(t.db)).unbalanced).toEqual([])
})
