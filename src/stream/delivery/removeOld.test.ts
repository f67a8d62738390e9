import { expect, test } from 'vitest'
import { add, addFrom } from '../../../test/stream/scriptedAddresses.ts'
import { end, logsWithin, reportedLogs } from '../../../test/stream/scriptedLogs.ts'
import { accountAddress, openScriptedStreams, type ScriptedStreams } from '../../../test/stream/scriptedStreams.ts'
import { mintBlocks } from '../../../test/stream/scriptedTruth.ts'
import { noopLog } from '../../util/log.ts'
import { removeOld } from './removeOld.ts'

const held = new Set(Array.from({ length: 256 }, (_, partition) => BigInt(partition)))

/** One round of the retention, as if `days` had passed. Aborted, it removes no webhooks. */
async function removeAfter({ db, worker }: ScriptedStreams, days: number): Promise<void> {
  const ending = new AbortController()
  const leases = { held: () => held, holds: () => true, workerId: () => worker }
  const clock = () => Date.now() + days * 86_400_000
  const settings = { retentionDays: 30 }
  const { done } = removeOld({ db, leases, log: noopLog, clock, settings, signal: ending.signal })
  ending.abort()
  await done
}

test('behavior: blocks in which a stream watched an address are forgotten 30 days after its removal', async () => {
  await using t = await openScriptedStreams(6)
  const id = await t.create({})
  await add(t, id, 1, 2)
  const watched = () =>
    t.db.rows('SELECT address, from_block, until_block FROM stream_watched ORDER BY address, from_block')
  for (let round = 0; round < 3; round++) {
    mintBlocks(t, 3)
    await t.settle()
    await t.demand.removeAddresses(id, [1, 2].map(accountAddress))
    mintBlocks(t, 3)
    await t.settle()
    await add(t, id, 1, 2)
  }
  await t.demand.removeAddresses(id, [accountAddress(2)])
  await removeAfter(t, 29)
  expect(await watched()).toHaveLength(8)
  // Removed and added again within one block.
  await t.demand.removeAddresses(id, [accountAddress(1)])
  await add(t, id, 1)
  await removeAfter(t, 31)
  const [one, two] = [1, 2].map((account) => Buffer.from(accountAddress(account).slice(2), 'hex'))
  expect(await watched()).toEqual([[one, 19n, null]])

  mintBlocks(t, 3)
  await t.settle()
  expect(await add(t, id, 2)).toEqual({ effectiveBlocks: { '0x7a69': '22' } })
  await t.demand.removeAddresses(id, [accountAddress(1)])
  expect(await watched()).toEqual([
    [one, 19n, 22n],
    [two, 22n, null],
  ])
  mintBlocks(t, 3)
  await addFrom(t, id, 19n, 3)
  await end(t)
  const span = (account: number, from: bigint, to?: bigint) => ({ account, from, to })
  const early = [1n, 7n, 13n].flatMap((from) => [1, 2].map((account) => span(account, from, from + 3n)))
  expect(await reportedLogs(t, id)).toEqual(logsWithin(t, [...early, span(1, 19n, 22n), span(2, 22n), span(3, 19n)]))
})
