import { expect, test } from 'vitest'
import { accountAddress, openScriptedStreams, type ScriptedStreams } from '../../../test/stream/scriptedStreams.ts'
import { expectTruth, mintBlocks, stepAll } from '../../../test/stream/scriptedTruth.ts'
import { updateStreamSchema } from '../demand.ts'
import { forgetChanges } from './streamChange.ts'

const chain = '0x7a69'
const other = '0x5'

/** Makes a stream that was matched up to block 8 and paused. The chain continued to block 20. */
async function paused(t: ScriptedStreams): Promise<string> {
  const id = await t.create({ from: 0n, all: true })
  mintBlocks(t, 8)
  await t.settle()
  await t.demand.setStatus(id, 'paused')
  mintBlocks(t, 12)
  await t.settle()
  return id
}

test('default: a paused stream resumes from the block that fromBlocks specifies, even after a reorganisation below it', async () => {
  await using t = await openScriptedStreams(18)
  const id = await paused(t)
  const skipped = [{ from: 9n, to: 14n }]
  expect(await t.demand.setStatus(id, 'active', { [chain]: '14' })).toMatchObject({
    effectiveBlocks: { [chain]: '14' },
  })
  await t.settle()
  await expectTruth(t, id, undefined, { skipped })
  t.chain.drop(9)
  mintBlocks(t, 12)
  await t.settle()
  await expectTruth(t, id, undefined, { skipped })
  t.chain.drop(17)
  mintBlocks(t, 18)
  await t.settle()
  await expectTruth(t, id, undefined, { skipped })
})

test.each([8, 22])(
  'error: rejects resuming a paused stream from block %i, before its position or after the next block',
  async (block) => {
    await using t = await openScriptedStreams(6)
    const id = await paused(t)
    await expect(t.demand.setStatus(id, 'active', { [chain]: String(block) })).rejects.toThrow(
      `fromBlocks.${chain} is ${block}; allowed: 9 to 21`,
    )
    expect(await t.demand.get(id)).toMatchObject({ status: 'paused' })
    await t.demand.setStatus(id, 'active', { [chain]: '9' })
    await t.settle()
    await expectTruth(t, id)
  },
)

test('error: rejects fromBlocks when resuming a stream that is not paused or for a chain it does not have', async () => {
  await using t = await openScriptedStreams(6)
  const id = await t.create({ all: true })
  await expect(t.demand.setStatus(id, 'active', { [chain]: '1' })).rejects.toThrow('this one is active')
  await t.demand.setStatus(id, 'paused')
  await expect(t.demand.setStatus(id, 'active', { [other]: '1' })).rejects.toThrow(`allowed: ${chain}`)
})

test('behavior: a resumed stream whose history waits for addresses starts with the block that fromBlocks specifies', async () => {
  await using t = await openScriptedStreams(6)
  mintBlocks(t, 12)
  await stepAll(t)
  const id = await t.create({ from: 2n })
  await t.demand.setStatus(id, 'paused')
  expect(await t.demand.setStatus(id, 'active', { [chain]: '5' })).toMatchObject({ effectiveBlocks: { [chain]: '5' } })
  await t.settle()
  expect(await t.demand.addAddresses(id, [accountAddress(1)])).toEqual({ effectiveBlocks: { [chain]: '5' } })
  mintBlocks(t, 4)
  await t.settle()
  await expectTruth(t, id, [{ account: 1, from: 5n, to: undefined }])
})

test('default: a chain added by an update is matched from the block that fromBlocks specifies', async () => {
  await using t = await openScriptedStreams(6)
  mintBlocks(t, 12)
  await stepAll(t)
  const id = await t.create({ all: true, chainIds: [other] })
  const body = updateStreamSchema.parse({ chainIds: [other, chain], fromBlocks: { [chain]: '3' } })
  expect(await t.demand.update(id, body)).toMatchObject({ effectiveBlocks: { [chain]: '3' } })
  mintBlocks(t, 4)
  await t.settle()
  await expectTruth(t, id, undefined, { from: 3n })
})

test('behavior: history of a chain added to a paused stream is read once the stream is resumed', async () => {
  await using t = await openScriptedStreams(6)
  mintBlocks(t, 12)
  await stepAll(t)
  const id = await t.create({ chainIds: [other] })
  await t.demand.addAddresses(id, [accountAddress(1)])
  await t.demand.setStatus(id, 'paused')
  const body = updateStreamSchema.parse({ chainIds: [other, chain], fromBlocks: { [chain]: '3' } })
  expect(await t.demand.update(id, body)).toMatchObject({ effectiveBlocks: { [chain]: '3' } })
  await t.demand.setStatus(id, 'active')
  mintBlocks(t, 4)
  await t.settle()
  await expectTruth(t, id, [{ account: 1, from: 3n, to: undefined }])
})

test('behavior: a chain added by an update starts at the future block that fromBlocks specifies', async () => {
  await using t = await openScriptedStreams(6)
  mintBlocks(t, 4)
  await stepAll(t)
  const id = await t.create({ all: true, chainIds: [other] })
  const body = updateStreamSchema.parse({ chainIds: [other, chain], fromBlocks: { [chain]: '7' } })
  expect(await t.demand.update(id, body)).toMatchObject({ effectiveBlocks: { [chain]: '7' } })
  mintBlocks(t, 8)
  await t.settle()
  await expectTruth(t, id, undefined, { from: 7n })
})

test.each([
  ['resumeFrom now', 'now'],
  ['fromBlocks with the next block', { [chain]: '13' }],
] as const)('behavior: a stream that was paused before its start starts earlier with %s', async (_, resumeFrom) => {
  await using t = await openScriptedStreams(6)
  mintBlocks(t, 4)
  await stepAll(t)
  const id = await t.create({ from: 99n, all: true })
  expect(await t.demand.setStatus(id, 'paused')).toMatchObject({ effectiveBlocks: { [chain]: '99' } })
  mintBlocks(t, 8)
  await stepAll(t)
  for (const block of ['12', '14', '99'])
    await expect(t.demand.setStatus(id, 'active', { [chain]: block })).rejects.toThrow(
      `fromBlocks.${chain} is ${block}; allowed: 13`,
    )
  expect(await t.demand.setStatus(id, 'active', resumeFrom)).toMatchObject({ effectiveBlocks: { [chain]: '13' } })
  mintBlocks(t, 2)
  await t.settle()
  await expectTruth(t, id, undefined, { from: 13n })
  t.chain.drop(5)
  mintBlocks(t, 8)
  await t.settle()
  await expectTruth(t, id, undefined, { from: 13n })
})

test('behavior: a stream that is paused and resumed before its start keeps its start', async () => {
  await using t = await openScriptedStreams(6)
  mintBlocks(t, 4)
  await stepAll(t)
  const id = await t.create({ from: 9n, all: true })
  await t.demand.setStatus(id, 'paused')
  expect(await t.demand.setStatus(id, 'active')).toMatchObject({ effectiveBlocks: { [chain]: '9' } })
  mintBlocks(t, 8)
  await t.settle()
  await expectTruth(t, id, undefined, { from: 9n })
})

test('behavior: an address added before its stream starts is watched from the first block of the stream', async () => {
  await using t = await openScriptedStreams(6)
  mintBlocks(t, 4)
  await stepAll(t)
  const id = await t.create({ from: 9n })
  expect(await t.demand.addAddresses(id, [accountAddress(1)])).toEqual({ effectiveBlocks: { [chain]: '9' } })
  mintBlocks(t, 8)
  await t.settle()
  await expectTruth(t, id, [{ account: 1, from: 9n, to: undefined }])
})

test('error: rejects fromBlocks in an update for a chain that the stream has or had', async () => {
  await using t = await openScriptedStreams(6)
  mintBlocks(t, 4)
  await stepAll(t)
  const id = await t.create({ all: true, chainIds: [other, chain] })
  const update = (body: object) => t.demand.update(id, updateStreamSchema.parse(body))
  const fromBlocks = { [chain]: '0' }
  await expect(update({ fromBlocks })).rejects.toThrow(
    `fromBlocks contains ${chain}, which the stream has or had already; allowed: chains that the update adds`,
  )
  await update({ chainIds: [other] })
  mintBlocks(t, 12)
  await t.settle()
  // The service keeps changes for a while, so the test deletes them.
  await t.db.run('DELETE FROM stream_change')
  await forgetChanges(t.db)
  expect(await t.db.rows('SELECT chain_id FROM stream_chain')).toEqual([[5n]])
  await expect(update({ chainIds: [other, chain], fromBlocks })).rejects.toThrow('has or had already')
  expect(await update({ chainIds: [other, chain] })).toMatchObject({ effectiveBlocks: { [chain]: '17' } })
  await expect(update({ chainIds: [other], fromBlocks })).rejects.toThrow('which is not among chainIds')
})
