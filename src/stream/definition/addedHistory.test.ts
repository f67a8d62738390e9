import { expect, test } from 'vitest'
import { add, addFrom, chainId } from '../../../test/stream/scriptedAddresses.ts'
import { end, logsOf, reportedLogs, transferBlocks } from '../../../test/stream/scriptedLogs.ts'
import { accountAddress, openScriptedStreams } from '../../../test/stream/scriptedStreams.ts'
import { mintBlocks, stepAll } from '../../../test/stream/scriptedTruth.ts'
import { updateStreamSchema } from '../demand.ts'
import { forgetChanges } from './streamChange.ts'

const finality = 6

test('default: with fromBlocks added addresses get their history, even without stream history, and again from an earlier block', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({})
  await add(t, id, 1)
  await t.settle()
  transferBlocks(t)
  await t.settle()
  const from = (block: string) => ({ effectiveBlocks: { [chainId]: block } })
  expect(await addFrom(t, id, 4n, 2, 3)).toEqual(from('4'))
  await t.settle()
  expect(await addFrom(t, id, 6n, 1)).toEqual(from('6'))
  expect(await addFrom(t, id, 2n, 1, 3)).toEqual(from('2'))
  expect(await addFrom(t, id, 2n, 1, 3)).toEqual(from('2'))
  await end(t)
  const reported = [...logsOf(t, [1, 3], 2n), ...logsOf(t, [2], 4n)]
  expect(await reportedLogs(t, id)).toEqual([...new Set(reported)].sort())
})

test('behavior: logs that a stream got with an earlier definition are not delivered again as history', async () => {
  await using t = await openScriptedStreams(finality)
  const id = await t.create({})
  await add(t, id, 1)
  transferBlocks(t)
  await t.settle()
  await t.demand.update(id, updateStreamSchema.parse({ includeContractLogs: false }))
  transferBlocks(t)
  mintBlocks(t, 8)
  await t.settle()
  await t.db.run(`UPDATE stream_change SET created_at = '2026-01-01'`)
  await forgetChanges(t.db)
  await t.demand.update(id, updateStreamSchema.parse({ includeContractLogs: true }))
  await addFrom(t, id, 0n, 2)
  await end(t)
  const reported = [...logsOf(t, [1], 0n, 10n), ...logsOf(t, [1], 29n), ...logsOf(t, [2], 0n)]
  expect(await reportedLogs(t, id)).toEqual([...new Set(reported)].sort())
})

test('error: rejects address history that cannot be read, and says what is allowed', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const [id, all] = [await t.create({}), await t.create({ all: true })]
  await add(t, id, 1)
  await expect(addFrom(t, id, 12n, 2)).rejects.toThrow('fromBlocks.0x7a69 is 12; allowed: 0 to 11')
  await expect(t.demand.addAddresses(id, [accountAddress(2)], { '0x5': '1' })).rejects.toThrow('allowed: 0x7a69')
  await expect(addFrom(t, all, 1n, 2)).rejects.toThrow('allowed: a stream without allAddresses')
  await t.demand.removeAddresses(id, [accountAddress(1)])
  await expect(addFrom(t, id, 1n, 1)).rejects.toThrow(`${accountAddress(1)} was`)
  await add(t, id, 1)
  await expect(addFrom(t, id, 1n, 1)).rejects.toThrow(`${accountAddress(1)} was`)
  expect(await t.demand.get(id)).toMatchObject({ amountOfAddresses: 1 })
})
