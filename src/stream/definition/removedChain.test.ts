import { expect, test } from 'vitest'
import { evmChain } from '../../../test/evmChain.ts'
import { accountAddress, openScriptedStreams } from '../../../test/stream/scriptedStreams.ts'
import { expectTruth, mintBlocks } from '../../../test/stream/scriptedTruth.ts'
import { updateStreamSchema } from '../demand.ts'
import { createStreamDemand } from './createStreamDemand.ts'
import { createNeededChains, readNeededChains } from './neededChains.ts'

const [chain, removed] = ['0x7a69', '0x5']

test('behavior: a stream can be changed and can leave a chain that was removed from the configuration', async () => {
  await using t = await openScriptedStreams(8)
  const id = await t.create({ all: true, chainIds: [chain, removed] })
  mintBlocks(t, 4)
  await t.settle()
  const demand = createStreamDemand({
    db: t.db,
    chains: [evmChain(['http://127.0.0.1:1'])],
    head: async (chainId) => {
      throw new Error(`chain ${chainId} has no node`)
    },
    sendTest: async () => ({ ok: true }),
    secretOverlapMs: 0,
  })
  const update = (body: object) => demand.update(id, updateStreamSchema.parse(body))
  const { effectiveBlocks } = await demand.addAddresses(id, [accountAddress(1)])
  expect(effectiveBlocks).toMatchObject({ [chain]: '5' })
  await demand.removeAddresses(id, [accountAddress(1)])
  expect(await update({ tag: 'new', webhookUrl: 'http://127.0.0.1:1/moved' })).toMatchObject({
    tag: 'new',
    chainIds: [chain, removed],
  })
  expect(await update({ chainIds: [chain] })).toMatchObject({ chainIds: [chain], effectiveBlocks: { [chain]: '5' } })
  mintBlocks(t, 4)
  await t.settle()
  await expectTruth(t, id, undefined, { from: 1n })
})

test('behavior: a chain that a stream left is needed until the webhooks from before are confirmed', async () => {
  await using t = await openScriptedStreams(8)
  const id = await t.create({ all: true, chainIds: [chain, removed] })
  mintBlocks(t, 4)
  await t.settle()
  const needed = createNeededChains(t.db)
  const all = [BigInt(chain), BigInt(removed)]
  await needed(all)
  await t.demand.update(id, updateStreamSchema.parse({ chainIds: [removed] }))
  for (const chains of [await readNeededChains(t.db, all), await needed(all)])
    expect(new Set(chains)).toEqual(new Set([BigInt(chain), BigInt(removed)]))
  mintBlocks(t, 5)
  await t.settle()
  expect(await readNeededChains(t.db, all)).toEqual([BigInt(removed)])
  const confirmed = await t.db.rows<[bigint]>(
    `SELECT block_number FROM webhook WHERE kind = 'confirmed' ORDER BY position`,
  )
  expect(confirmed.flat()).toEqual([1n, 2n, 3n, 4n])
})
