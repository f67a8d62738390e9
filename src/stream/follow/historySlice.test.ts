import { expect, test } from 'vitest'
import { openScriptedStreams } from '../../../test/stream/scriptedStreams.ts'
import { mintBlocks, stepAll } from '../../../test/stream/scriptedTruth.ts'

test('behavior: webhooks are confirmed in block order, even if the chain advances while history is read', async () => {
  await using t = await openScriptedStreams(0)
  mintBlocks(t, 10)
  await stepAll(t)
  await t.create({ from: 1n, all: true, txs: true })
  const { requested, open } = t.hold()
  // Every block is final, so history reads to the head. The last three blocks have no confirmations yet.
  const reading = t.history()
  await requested
  mintBlocks(t, 20)
  await stepAll(t)
  open()
  await reading
  await t.settle()
  const rows = await t.db.rows<[bigint]>(`SELECT block_number FROM webhook WHERE kind = 'confirmed' ORDER BY position`)
  const confirmed = rows.map(([block]) => Number(block))
  expect(confirmed.length).toBeGreaterThan(20)
  expect(confirmed).toEqual(confirmed.toSorted((a, b) => a - b))
})
