import { expect, test } from 'vitest'
import { add, addFrom, chainId, update } from '../../../test/stream/scriptedAddresses.ts'
import {
  becomeFinal,
  end,
  logsOf,
  logsWithin,
  reportedLogs,
  transferBlocks,
} from '../../../test/stream/scriptedLogs.ts'
import { accountAddress, openScriptedStreams, type ScriptedStreams } from '../../../test/stream/scriptedStreams.ts'
import { stepAll } from '../../../test/stream/scriptedTruth.ts'
import { forgetChanges } from './streamChange.ts'

const finality = 6
/** Deletes data that no block needs any more, as the service does after some minutes. `other`: also for the chain without followers. */
async function forget({ db }: ScriptedStreams, { other = true } = {}): Promise<void> {
  await db.run(`UPDATE stream_change SET created_at = now() - interval '1 hour'`)
  if (other) await db.run('UPDATE chain SET block_number = 100, finalized_number = 100 WHERE id = 5')
  await forgetChanges(db)
}

test('behavior: address history in blocks that the stream skipped is delivered once, even with a later address', async () => {
  await using t = await openScriptedStreams(finality)
  const id = await t.create({ from: 0n })
  await add(t, id, 4)
  await t.settle()
  await t.demand.setStatus(id, 'paused')
  transferBlocks(t)
  await stepAll(t)
  await t.demand.setStatus(id, 'active', 'now')
  await add(t, id, 1)
  await end(t)
  await add(t, id, 2)
  await end(t)
  expect(await reportedLogs(t, id)).toEqual(logsOf(t, [1, 2], 0n))
})

test('behavior: history delivered with a wider definition than the stream had at the time is not repeated with a later address', async () => {
  await using t = await openScriptedStreams(finality)
  const id = await t.create({ from: 0n, txs: true })
  await add(t, id, 4)
  await update(t, id, { includeContractLogs: false })
  await t.settle()
  transferBlocks(t)
  await t.settle()
  await update(t, id, { includeContractLogs: true })
  await add(t, id, 1)
  await end(t)
  await add(t, id, 2)
  await end(t)
  expect(await reportedLogs(t, id)).toEqual(logsOf(t, [1, 2], 0n))
})

test('behavior: address history missed because of a narrower definition is delivered with a later address', async () => {
  await using t = await openScriptedStreams(finality)
  const id = await t.create({ from: 0n, txs: true })
  await add(t, id, 4)
  transferBlocks(t)
  await t.settle()
  await update(t, id, { includeContractLogs: false })
  await add(t, id, 1)
  await end(t)
  await update(t, id, { includeContractLogs: true })
  await add(t, id, 2)
  await end(t)
  expect(await reportedLogs(t, id)).toEqual(logsOf(t, [2], 0n))
})

test('behavior: a stream that once watched all addresses gets no log of added address history twice', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({ all: true })
  await t.settle()
  await update(t, id, { allAddresses: false })
  await addFrom(t, id, 0n, 1)
  await end(t)
  await addFrom(t, id, 0n, 2)
  await end(t)
  const reported = await reportedLogs(t, id)
  expect(reported).toEqual([...new Set(reported)])
})

test('behavior: an address added again before the stream starts is watched from the first block of the stream', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({ from: 21n })
  await add(t, id, 1)
  await t.demand.removeAddresses(id, [accountAddress(1)])
  const back = await add(t, id, 1)
  expect(back).toEqual({ effectiveBlocks: { [chainId]: '21' } })
  await addFrom(t, id, 0n, 2)
  transferBlocks(t)
  transferBlocks(t)
  await end(t)
  expect(await reportedLogs(t, id)).toEqual([...new Set([...logsOf(t, [2], 0n), ...logsOf(t, [1], 21n)])].sort())
})

test('behavior: address history of a stream that starts later than planned counts only the delivered blocks', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({ from: 3n })
  await addFrom(t, id, 1n, 1)
  await t.demand.setStatus(id, 'paused')
  expect((await t.demand.setStatus(id, 'active', { [chainId]: '10' })).effectiveBlocks).toEqual({ [chainId]: '10' })
  await end(t)
  await addFrom(t, id, 0n, 2)
  await end(t)
  const spans = [
    { account: 1, from: 1n, to: 3n },
    { account: 1, from: 10n, to: undefined },
    { account: 2, from: 0n, to: undefined },
  ]
  expect(await reportedLogs(t, id)).toEqual(logsWithin(t, spans))
})

test('behavior: address changes made after the stream left a chain apply when it returns', async () => {
  await using t = await openScriptedStreams(finality)
  const id = await t.create({ chainIds: [chainId, '0x5'] })
  await add(t, id, 1)
  transferBlocks(t)
  await t.settle()
  transferBlocks(t)
  await t.settle()
  await update(t, id, { chainIds: ['0x5'] })
  await add(t, id, 2)
  await t.demand.removeAddresses(id, [accountAddress(1)])
  const { effectiveBlocks } = await update(t, id, { chainIds: [chainId, '0x5'] })
  expect(effectiveBlocks).toMatchObject({ [chainId]: '21' })
  transferBlocks(t)
  await end(t)
  expect(await reportedLogs(t, id)).toEqual([...logsOf(t, [1], 0n, 20n), ...logsOf(t, [2], 21n)].sort())
})

test('behavior: address changes made after the stream left a chain apply to history that continues when it returns', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({ from: 0n, chainIds: [chainId, '0x5'] })
  await add(t, id, 1)
  await t.history()
  await update(t, id, { chainIds: ['0x5'] })
  await t.demand.removeAddresses(id, [accountAddress(1)])
  const { effectiveBlocks } = await update(t, id, { chainIds: [chainId, '0x5'] })
  expect(effectiveBlocks).toMatchObject({ [chainId]: '11' })
  await end(t)
  // The address is removed from block 11 on.
  expect(await reportedLogs(t, id)).toEqual(logsOf(t, [1], 0n, 10n))
})

test('behavior: unread address history is dropped when the stream leaves the chain, and does not count as delivered', async () => {
  await using t = await openScriptedStreams(finality)
  const id = await t.create({ from: 0n, chainIds: [chainId, '0x5'] })
  await add(t, id, 4)
  transferBlocks(t)
  await t.settle()
  expect(await add(t, id, 1)).toMatchObject({ effectiveBlocks: { [chainId]: '0' } })
  await update(t, id, { chainIds: ['0x5'] })
  becomeFinal(t)
  await stepAll(t)
  await t.history()
  expect(await t.db.rows('SELECT count(*) FROM stream_addition')).toEqual([[0n]])
  await update(t, id, { chainIds: [chainId, '0x5'] })
  await end(t)
  const from = BigInt((await add(t, id, 2)).effectiveBlocks[chainId]!)
  await end(t)
  const reported = new Set(await reportedLogs(t, id))
  expect(logsOf(t, [2], from).filter((log) => !reported.has(log))).toEqual([])
})

test('behavior: address history is not delivered twice after the stream left the chain and its position was deleted', async () => {
  await using t = await openScriptedStreams(finality)
  const id = await t.create({ from: 0n, chainIds: [chainId, '0x5'] })
  await add(t, id, 1)
  transferBlocks(t)
  await t.settle()
  await add(t, id, 2)
  await t.demand.setStatus(id, 'paused')
  await update(t, id, { chainIds: ['0x5'] })
  becomeFinal(t)
  await stepAll(t)
  await forget(t)
  await update(t, id, { chainIds: [chainId, '0x5'] })
  await t.demand.setStatus(id, 'active')
  await end(t)
  const reported = await reportedLogs(t, id)
  expect(reported).toEqual([...new Set(reported)])
})

test('behavior: an address added again before the stream starts is delivered once, even after another chain was deleted', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({ from: 3n, chainIds: [chainId, '0x5'] })
  await t.demand.setStatus(id, 'paused')
  await add(t, id, 1)
  await t.demand.removeAddresses(id, [accountAddress(1)])
  await add(t, id, 1)
  await update(t, id, { chainIds: [chainId] })
  await forget(t)
  await t.demand.removeAddresses(id, [accountAddress(1)])
  await add(t, id, 1)
  await t.demand.setStatus(id, 'active')
  await end(t)
  await add(t, id, 2)
  await end(t)
  expect(await reportedLogs(t, id)).toEqual(logsOf(t, [1, 2], 3n))
})

test('behavior: a stream that returns to a chain where its position was deleted uses the current addresses', async () => {
  await using t = await openScriptedStreams(finality)
  const id = await t.create({ chainIds: [chainId, '0x5'] })
  await add(t, id, 1)
  transferBlocks(t)
  await t.settle()
  transferBlocks(t)
  await t.settle()
  await update(t, id, { chainIds: ['0x5'] })
  becomeFinal(t)
  await t.settle()
  await forget(t, { other: false })
  expect(await t.db.rows('SELECT chain_id FROM stream_chain')).toEqual([[5n]])
  await add(t, id, 2)
  await t.demand.removeAddresses(id, [accountAddress(1)])
  const { effectiveBlocks } = await update(t, id, { chainIds: [chainId, '0x5'] })
  expect(effectiveBlocks).toMatchObject({ [chainId]: '33' })
  transferBlocks(t)
  await end(t)
  expect(await reportedLogs(t, id)).toEqual([...logsOf(t, [1], 0n, 20n), ...logsOf(t, [2], 33n)].sort())
})

test('behavior: logs delivered with transactions that the current definition excludes are not delivered again', async () => {
  await using t = await openScriptedStreams(finality, { sender: 9 })
  const id = await t.create({ from: 0n, txs: true })
  await update(t, id, { includeContractLogs: false, includeAllTxLogs: true })
  await add(t, id, 9)
  transferBlocks(t)
  await t.settle()
  becomeFinal(t)
  await t.settle()
  await update(t, id, { includeContractLogs: true, includeAllTxLogs: false, includeNativeTxs: false })
  expect((await reportedLogs(t, id)).length).toBeGreaterThan(0)
  await add(t, id, 1)
  await end(t)
  const reported = await reportedLogs(t, id)
  expect(reported).toEqual([...new Set(reported)])
})
