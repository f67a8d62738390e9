import { expect, test } from 'vitest'
import { onCluster } from '../../../test/onCluster.ts'
import { add, addFrom, chainId } from '../../../test/stream/scriptedAddresses.ts'
import { end, logsOf, reportedLogs, transferBlocks } from '../../../test/stream/scriptedLogs.ts'
import { accountAddress, openScriptedStreams } from '../../../test/stream/scriptedStreams.ts'
import { mintBlocks, stepAll } from '../../../test/stream/scriptedTruth.ts'
import type { Transaction } from '../../db/database.ts'
import { addAddresses } from './moveAddresses.ts'
import { readKnownStream } from './streamStore.ts'

const finality = 6
/** The accounts from `first`, more than are added one by one. */
const many = (first: number) => Array.from({ length: 1_200 }, (_, i) => accountAddress(first + i))

test('default: many addresses added together are watched from the next block, and their history is read once', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({})
  transferBlocks(t)
  await t.settle()
  expect(await t.demand.addAddresses(id, many(2))).toEqual({ effectiveBlocks: { [chainId]: '21' } })
  // Again, and with others.
  await t.demand.addAddresses(id, many(2))
  expect(await t.db.rows('SELECT chain_ids, from_blocks FROM stream_since')).toEqual([[['31337'], ['21']]])
  expect(await t.demand.addAddresses(id, many(1))).toEqual({ effectiveBlocks: { [chainId]: '21' } })
  transferBlocks(t)
  await t.settle()
  expect(await addFrom(t, id, 12n, 2)).toEqual({ effectiveBlocks: { [chainId]: '12' } })
  await t.demand.removeAddresses(id, [accountAddress(3)])
  mintBlocks(t, 6)
  await end(t)
  expect(await reportedLogs(t, id)).toEqual(
    [...new Set([...logsOf(t, [1, 2, 3], 21n), ...logsOf(t, [2], 12n, 20n)])].sort(),
  )
})

// On a cluster the coordinator does not count the rows that other nodes write.
test.skipIf(onCluster)('behavior: rows of many addresses are written before the chain is locked', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({ from: 2n })
  // The history of a stream without addresses does not begin.
  await add(t, id, 10_000)
  await t.settle()
  for (const fromBlocks of [new Map<bigint, bigint>(), new Map([[31_337n, 2n]])])
    await t.db.transaction(async (tx) => {
      const written = async () =>
        (
          await tx.rows<[bigint]>(
            `SELECT pg_stat_get_xact_tuples_inserted(r) + pg_stat_get_xact_tuples_updated(r) FROM (VALUES ('stream_address'::regclass)) v (r)`,
          )
        )[0]![0]
      let beforeLock: bigint | undefined
      const watched: Transaction = {
        ...tx,
        async rows(sql, values) {
          if (/FROM chain .* FOR UPDATE/.test(sql)) beforeLock = await written()
          return tx.rows(sql, values)
        },
      }
      const stream = await readKnownStream(watched, id, true)
      await addAddresses(watched, stream, {
        addresses: many(1 + 5_000 * fromBlocks.size),
        heads: new Map(),
        fromBlocks,
      })
      expect(beforeLock).toBeGreaterThan(1_000)
      expect(await written()).toBe(beforeLock)
    })
})
