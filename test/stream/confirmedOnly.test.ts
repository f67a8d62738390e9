import { expect, test } from 'vitest'
import { confirmations, openScriptedStreams, type ScriptedStreams } from './scriptedStreams.ts'
import { mintBlocks, stepAll } from './scriptedTruth.ts'

/** Block numbers of a stream's webhooks, by kind. */
async function blocksOf(t: ScriptedStreams, id: string): Promise<Record<string, number[]>> {
  const rows = await t.db.rows<[string, number[]]>(
    'SELECT kind, array_agg(block_number::int ORDER BY position) FROM webhook WHERE stream_id = $1 GROUP BY kind',
    [id],
  )
  return Object.fromEntries(rows)
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

test('behavior: a block of history sends only the confirmed webhook, and a block at the head sends both', async () => {
  await using t = await openScriptedStreams(8)
  mintBlocks(t, 20)
  await stepAll(t)
  const id = await t.create({ from: 1n, all: true })
  await t.settle()
  mintBlocks(t, 5)
  await t.settle()
  expect(await blocksOf(t, id)).toEqual({
    // Blocks that were unconfirmed when the stream reached them, and later ones.
    unconfirmed: numbers(20 - confirmations + 1, 25),
    confirmed: numbers(1, 25 - confirmations),
  })
})

test('behavior: blocks after the creation of a stream send both webhooks, even if followed only once confirmed', async () => {
  await using t = await openScriptedStreams(4)
  mintBlocks(t, 5)
  const id = await t.create({ all: true })
  mintBlocks(t, 15)
  await t.settle()
  expect(await blocksOf(t, id)).toEqual({ unconfirmed: numbers(6, 20), confirmed: numbers(6, 20 - confirmations) })
  await t.demand.setStatus(id, 'paused')
  mintBlocks(t, 10)
  await t.settle()
  // Blocks from the pause become history once the stream resumes.
  await t.demand.setStatus(id, 'active')
  mintBlocks(t, 5)
  await t.settle()
  expect(await blocksOf(t, id)).toEqual({
    unconfirmed: [...numbers(6, 20), ...numbers(31, 35)],
    confirmed: numbers(6, 35 - confirmations),
  })
})

test('behavior: confirmedOnly sends confirmed webhooks without retractions, and an update applies from its effective block', async () => {
  await using t = await openScriptedStreams(8)
  mintBlocks(t, 5)
  await stepAll(t)
  const id = await t.create({ all: true, confirmedOnly: true })
  mintBlocks(t, 10)
  await stepAll(t)
  t.chain.drop(2)
  mintBlocks(t, 6)
  await stepAll(t)
  expect(await blocksOf(t, id)).toEqual({ confirmed: numbers(6, 19 - confirmations) })
  expect(await t.demand.get(id)).toMatchObject({ confirmedOnly: true, delivery: 'ordered' })

  const { effectiveBlocks } = await t.demand.update(id, { confirmedOnly: false, delivery: 'unordered' })
  expect(effectiveBlocks).toEqual({ '0x7a69': '20' })
  mintBlocks(t, 5)
  await stepAll(t)
  expect(await blocksOf(t, id)).toEqual({
    unconfirmed: numbers(20, 24),
    confirmed: numbers(6, 24 - confirmations),
  })
  expect(await t.demand.get(id)).toMatchObject({ confirmedOnly: false, delivery: 'unordered' })
})
