import { expect, test } from 'vitest'
import { openScriptedStreams, type ScriptedStreams } from '../../../test/stream/scriptedStreams.ts'
import { expectTruth, mintBlocks } from '../../../test/stream/scriptedTruth.ts'
import { updateStreamSchema } from '../demand.ts'

const chain = '0x7a69'
const other = '0x5'
const never = new AbortController().signal

/** A follower that knows of block 208, and has followed 72 blocks. No block is final. */
async function openBehind(
  options?: Parameters<typeof openScriptedStreams>[1],
): Promise<ScriptedStreams & { paused: string; elsewhere: string }> {
  const t = await openScriptedStreams(1_000, options)
  await t.create({ all: true })
  const paused = await t.create({ all: true })
  const elsewhere = await t.create({ all: true, chainIds: [other] })
  mintBlocks(t, 8)
  await t.settle()
  await t.demand.setStatus(paused, 'paused')
  mintBlocks(t, 200)
  const chainRow = () => t.db.rows('SELECT block_number, head_number FROM chain WHERE id = 31337')
  for (let i = 0; i < 3 && (await chainRow())[0]![0] === 8n; i++) await t.follower.step(never)
  expect(await chainRow()).toEqual([[72n, 208n]])
  return { ...t, paused, elsewhere }
}

/** Expects all blocks from `from` on, also after reorganisations below and above it. */
async function expectFrom(t: ScriptedStreams, id: string, from: bigint): Promise<void> {
  mintBlocks(t, 2)
  await t.settle()
  await expectTruth(t, id, undefined, { from })
  for (const dropped of [1, 20]) {
    t.chain.drop(dropped)
    mintBlocks(t, dropped + 2)
    await t.settle()
    await expectTruth(t, id, undefined, { from })
  }
}

test('default: a stream created while the follower is behind starts after the newest known block', async () => {
  await using t = await openBehind()
  const id = await t.create({ all: true })
  expect(await t.lastChange(id)).toBe(209n)
  await t.demand.setStatus(id, 'paused')
  expect(await t.demand.setStatus(id, 'active')).toMatchObject({ effectiveBlocks: { [chain]: '209' } })
  await expectFrom(t, id, 209n)
})

test('behavior: a chain added while its follower is behind starts after the newest known block', async () => {
  await using t = await openBehind()
  const body = updateStreamSchema.parse({ chainIds: [other, chain] })
  expect(await t.demand.update(t.elsewhere, body)).toMatchObject({ effectiveBlocks: { [chain]: '209' } })
  await expectFrom(t, t.elsewhere, 209n)
})

test('behavior: "now" while the follower is behind skips all blocks up to the newest known block', async () => {
  await using t = await openBehind()
  expect(await t.demand.setStatus(t.paused, 'active', 'now')).toMatchObject({ effectiveBlocks: { [chain]: '209' } })
  mintBlocks(t, 2)
  await t.settle()
  const skipped = [{ from: 9n, to: 209n }]
  await expectTruth(t, t.paused, undefined, { from: 1n, skipped })
  t.chain.drop(20)
  mintBlocks(t, 22)
  await t.settle()
  await expectTruth(t, t.paused, undefined, { from: 1n, skipped })
})

test('behavior: "now" skips the same blocks if the stream is paused and resumed again before its start', async () => {
  await using t = await openBehind()
  await t.demand.setStatus(t.paused, 'active', 'now')
  await t.follower.step(never)
  await t.demand.setStatus(t.paused, 'paused')
  mintBlocks(t, 10)
  await t.follower.step(never)
  expect(await t.demand.setStatus(t.paused, 'active', 'now')).toMatchObject({ effectiveBlocks: { [chain]: '219' } })
  mintBlocks(t, 2)
  await t.settle()
  await expectTruth(t, t.paused, undefined, { from: 1n, skipped: [{ from: 9n, to: 219n }] })
})

test('behavior: fromBlocks may specify a block between the followed and the newest known block', async () => {
  await using t = await openBehind()
  await expectFrom(t, await t.create({ all: true, from: 150n }), 150n)
})

test('behavior: a reported head that may be above the chain moves no start', async () => {
  await using t = await openBehind({ linkedHead: async () => undefined })
  expect(await t.demand.setStatus(t.paused, 'active', 'now')).toMatchObject({ effectiveBlocks: { [chain]: '73' } })
  await expectFrom(t, await t.create({ all: true }), 73n)
})

test.each([undefined, 200n])(
  'behavior: "now" before the start keeps the start if the head is then reported as %s',
  async (second) => {
    let head: bigint | undefined = 208n
    await using t = await openBehind({ linkedHead: async () => head })
    const id = await t.create({ all: true })
    await t.demand.setStatus(id, 'paused')
    head = second
    expect(await t.demand.setStatus(id, 'active', 'now')).toMatchObject({ effectiveBlocks: { [chain]: '209' } })
    await expectFrom(t, id, 209n)
  },
)
