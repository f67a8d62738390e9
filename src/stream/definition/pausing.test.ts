import { expect, test } from 'vitest'
import { evmChain } from '../../../test/evmChain.ts'
import { accountAddress, openScriptedStreams } from '../../../test/stream/scriptedStreams.ts'
import { expectTruth, mintBlocks, stepAll } from '../../../test/stream/scriptedTruth.ts'
import { updateStreamSchema } from '../demand.ts'
import { createStreamDemand } from './createStreamDemand.ts'
import { readNeededChains } from './neededChains.ts'

const chain = '0x7a69'

test('default: a paused stream keeps its position and gets the missed blocks once it is resumed', async () => {
  await using t = await openScriptedStreams(8)
  const id = await t.create({ from: 0n, all: true })
  mintBlocks(t, 4)
  await t.settle()
  expect(await t.demand.setStatus(id, 'paused')).toMatchObject({ effectiveBlocks: { [chain]: '5' } })
  // Some of these blocks are final at the end, so that history matches one part and the join the other.
  mintBlocks(t, 20)
  await t.settle()
  expect(await t.demand.setStatus(id, 'active')).toMatchObject({
    status: 'active',
    effectiveBlocks: { [chain]: '5' },
  })
  await t.settle()
  await expectTruth(t, id)
  mintBlocks(t, 5)
  await t.settle()
  await expectTruth(t, id)
})

test('behavior: webhooks from before a pause are confirmed and retracted during the pause', async () => {
  await using t = await openScriptedStreams(8)
  const id = await t.create({ from: 0n, all: true })
  mintBlocks(t, 8)
  await t.settle()
  await t.demand.setStatus(id, 'paused')
  t.chain.drop(2)
  t.chain.add([])
  mintBlocks(t, 5)
  expect(await readNeededChains(t.db, [BigInt(chain)])).toEqual([BigInt(chain)])
  await t.settle()
  expect(await readNeededChains(t.db, [BigInt(chain)])).toEqual([])
  const kinds = await t.db.rows<[string, bigint]>(
    `SELECT kind, block_number FROM webhook WHERE block_number > 5 OR (block_number > 4 AND kind = 'confirmed') ORDER BY position`,
  )
  expect(kinds).toEqual([
    ['confirmed', 5n],
    ['unconfirmed', 6n],
    ['unconfirmed', 7n],
    ['unconfirmed', 8n],
    ['retraction', 8n],
    ['retraction', 7n],
    ['confirmed', 6n],
  ])
  // The reorganisation moved the stream's cursor back.
  expect(await t.demand.setStatus(id, 'active')).toMatchObject({ effectiveBlocks: { [chain]: '7' } })
  await t.settle()
  await expectTruth(t, id)
})

test('behavior: "now" starts at the next block, and skips the same blocks after a reorganisation among or below them', async () => {
  await using t = await openScriptedStreams(12)
  const id = await t.create({ from: 0n, all: true })
  mintBlocks(t, 8)
  await t.settle()
  await t.demand.setStatus(id, 'paused')
  mintBlocks(t, 4)
  await t.settle()
  expect(await t.demand.setStatus(id, 'active', 'now')).toMatchObject({ effectiveBlocks: { [chain]: '13' } })
  mintBlocks(t, 2)
  await t.settle()
  await expectTruth(t, id, undefined, { skipped: [{ from: 9n, to: 13n }] })
  t.chain.drop(4)
  mintBlocks(t, 5)
  await t.settle()
  await expectTruth(t, id, undefined, { skipped: [{ from: 9n, to: 13n }] })
  t.chain.drop(9)
  mintBlocks(t, 10)
  await t.settle()
  await expectTruth(t, id, undefined, { skipped: [{ from: 9n, to: 13n }] })
})

test('behavior: "now" starts behind the head if the chain was not followed during the pause', async () => {
  await using t = await openScriptedStreams(12)
  const id = await t.create({ from: 0n, all: true })
  mintBlocks(t, 8)
  await t.settle()
  await t.demand.setStatus(id, 'paused')
  await t.db.run('DELETE FROM stream_confirmation')
  // Nobody steps, as no stream needs the chain.
  mintBlocks(t, 4)
  expect(await t.demand.setStatus(id, 'active', 'now')).toMatchObject({ effectiveBlocks: { [chain]: '13' } })
})

test.each([
  ['', false],
  [', also where an address was added meanwhile', true],
])(
  'behavior: "now" also skips the blocks that the stream had not caught up with when it was paused again%s',
  async (_, adds) => {
    await using t = await openScriptedStreams(8)
    const id = await t.create({ from: 0n, all: true })
    mintBlocks(t, 4)
    await t.settle()
    await t.demand.setStatus(id, 'paused')
    mintBlocks(t, 4)
    await t.settle()
    expect(await t.demand.setStatus(id, 'active')).toMatchObject({ effectiveBlocks: { [chain]: '5' } })
    if (adds) await t.demand.addAddresses(id, [accountAddress(1)])
    expect(await t.demand.setStatus(id, 'paused')).toMatchObject({ effectiveBlocks: { [chain]: '5' } })
    mintBlocks(t, 2)
    await t.settle()
    expect(await t.demand.setStatus(id, 'active', 'now')).toMatchObject({ effectiveBlocks: { [chain]: '11' } })
    const skipped = [{ from: 5n, to: 11n }]
    mintBlocks(t, 2)
    await t.settle()
    await expectTruth(t, id, undefined, { skipped })
    if (adds) return
    t.chain.drop(6)
    mintBlocks(t, 8)
    await t.settle()
    await expectTruth(t, id, undefined, { skipped })
  },
)

test('behavior: "now" after a reorganisation during the pause still delivers the replacements of blocks from before the pause', async () => {
  await using t = await openScriptedStreams(12)
  const id = await t.create({ from: 0n, all: true })
  mintBlocks(t, 6)
  await t.settle()
  expect(await t.demand.setStatus(id, 'paused')).toMatchObject({ effectiveBlocks: { [chain]: '7' } })
  t.chain.drop(3)
  mintBlocks(t, 8)
  await t.settle()
  expect(await t.demand.setStatus(id, 'active', 'now')).toMatchObject({ effectiveBlocks: { [chain]: '12' } })
  mintBlocks(t, 3)
  await t.settle()
  await expectTruth(t, id, undefined, { skipped: [{ from: 7n, to: 12n }] })
})

test('behavior: a change of a paused stream applies from its position on', async () => {
  await using t = await openScriptedStreams(8)
  const id = await t.create({ all: true })
  mintBlocks(t, 4)
  await t.settle()
  await t.demand.setStatus(id, 'paused')
  mintBlocks(t, 4)
  await t.settle()
  expect(await t.demand.update(id, updateStreamSchema.parse({ includeContractLogs: false }))).toMatchObject({
    status: 'paused',
    effectiveBlocks: { [chain]: '5' },
  })
  await t.demand.setStatus(id, 'active')
  mintBlocks(t, 4)
  await t.settle()
  const numbers = await t.db.rows('SELECT DISTINCT block_number FROM webhook ORDER BY 1')
  expect(numbers.flat()).toEqual([1n, 2n, 3n, 4n])
})

test('behavior: a chain added back to a paused stream is paused too, and continues from there once the stream is resumed', async () => {
  await using t = await openScriptedStreams(8)
  const evm = evmChain(['http://127.0.0.1:1'])
  const demand = createStreamDemand({
    db: t.db,
    chains: [evm, { ...evm, id: 5n, name: 'other' }],
    head: async () => t.chain.head(),
    sendTest: async () => ({ ok: true }),
    secretOverlapMs: 0,
  })
  const moveTo = (...chainIds: string[]) => demand.update(id, updateStreamSchema.parse({ chainIds }))
  const id = await t.create({ all: true })
  mintBlocks(t, 4)
  await t.settle()
  await moveTo('0x5')
  mintBlocks(t, 2)
  await t.settle()
  await demand.setStatus(id, 'paused')
  mintBlocks(t, 2)
  await t.settle()
  expect(await moveTo('0x5', chain)).toMatchObject({ effectiveBlocks: { [chain]: '9' } })
  mintBlocks(t, 4)
  await t.settle()
  expect(await demand.setStatus(id, 'active')).toMatchObject({ effectiveBlocks: { [chain]: '9' } })
  await t.settle()
  const numbers = await t.db.rows('SELECT DISTINCT block_number FROM webhook ORDER BY 1')
  expect(numbers.flat()).toEqual([1n, 2n, 3n, 4n, 9n, 10n, 11n, 12n])
})

test('behavior: a stream whose test webhook failed is reported as paused, and starts, once resumed, with the block at which it was created', async () => {
  let answers = false
  await using t = await openScriptedStreams(8, {
    sendTest: async () => (answers ? { ok: true } : { ok: false, reason: 'answered 500' }),
  })
  mintBlocks(t, 3)
  await stepAll(t)
  const id = await t.create({ all: true })
  expect(await t.demand.get(id)).toMatchObject({ status: 'paused' })
  const reported = await t.db.rows<[string]>('SELECT body FROM operation_notice ORDER BY seq')
  expect(reported.map(([body]) => JSON.parse(body))).toMatchObject([
    {
      type: 'stream.paused',
      data: { streamId: id, tag: 'test', statusMessage: 'the test webhook failed: answered 500' },
    },
  ])
  mintBlocks(t, 20)
  await t.settle()
  answers = true
  expect(await t.demand.setStatus(id, 'active')).toMatchObject({ effectiveBlocks: { [chain]: '4' } })
  await t.settle()
  await expectTruth(t, id, undefined, { from: 4n })
})

test('behavior: a paused stream can be deleted, and the other streams of its chain continue', async () => {
  await using t = await openScriptedStreams(8)
  const [id, other] = [await t.create({ all: true }), await t.create({ all: true })]
  mintBlocks(t, 4)
  await t.settle()
  await t.demand.setStatus(id, 'paused')
  mintBlocks(t, 2)
  await t.settle()
  await t.demand.remove(id)
  mintBlocks(t, 4)
  await t.settle()
  expect(await t.states()).toEqual({ [other]: 'live' })
  await expectTruth(t, other)
})
