import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import type { RpcLog } from '../../../chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../../../chain/evm/source/tokenEvents.ts'
import type { Address } from '../../../util/hex.ts'
import {
  announceContracts,
  announcedContracts,
  readDueContracts,
  requestContracts,
  settleContract,
} from './contractStore.ts'
import { revertUpdates } from './undoUpdates.ts'

const [first, second] = ['5a', '5b'].map((byte): Address => `0x${byte.repeat(20)}`) as [Address, Address]

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('behavior: contract metadata is read again after an ERC-7572 event, and after a reorg of the event', async () => {
  const { db } = database
  const [own, other] = [await seedCollection(db, { address: first }), await seedCollection(db, { address: second })]
  const followed = new Map([
    [first, own],
    [second, other],
  ] as const)
  const log = { address: first, topics: [tokenTopic.contractUriUpdated] } as unknown as RpcLog
  const apply = (block: bigint | undefined, logs: RpcLog[]) =>
    db.transaction((tx) => announceContracts(tx, announcedContracts(logs, followed), { coolOffMs: 0, block }))
  const dueOf = async ({ partition, id }: typeof own) => {
    const sql = 'SELECT due_at <= now() FROM contract_metadata WHERE partition = $1 AND collection_id = $2'
    return (await db.rows<[boolean | null]>(sql, [partition, id])).flat()
  }
  /** Reads the due contracts; `meanwhile` runs before they are settled. */
  const read = async (meanwhile?: () => Promise<void>) => {
    const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))
    const due = await readDueContracts(db, { chains: [1n], partitions, lent: new Map() }, { limit: 10, running: [] })
    await meanwhile?.()
    for (const one of due) await settleContract(db, one, { kind: 'none', reason: 'of a test' })
  }
  await apply(5n, [log])
  // No client requested this contract.
  expect(await dueOf(own)).toEqual([])
  await requestContracts(db, [own, other])
  await read()
  await apply(6n, [log, log, { ...log, address: `0x${'5c'.repeat(20)}` }, { ...log, topics: [tokenTopic.uri] }])
  expect([await dueOf(own), await dueOf(other)]).toEqual([[true], [null]])
  await read(() => apply(7n, [log]))
  expect(await dueOf(own)).toEqual([true])
  await read()
  for (const [fork, due] of [
    [7n, null],
    [6n, true],
  ] as const) {
    await db.transaction((tx) => revertUpdates(tx, 1n, fork, 0))
    expect([await dueOf(own), await dueOf(other)]).toEqual([[due], [null]])
  }
  // Events in history are from final blocks, which are never undone.
  await read()
  await apply(undefined, [log])
  await read()
  await db.transaction((tx) => revertUpdates(tx, 1n, 0n, 0))
  expect(await dueOf(own)).toEqual([null])
})
