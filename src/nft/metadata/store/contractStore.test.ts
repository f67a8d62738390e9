import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import type { RpcLog } from '../../../chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../../../chain/evm/source/tokenEvents.ts'
import type { Address } from '../../../util/hex.ts'
import { readDueContracts, requestContracts, settleContract } from './contractStore.ts'
import { markChanged, metadataChanges } from './markChanged.ts'
import { recordUpdates, revertUpdates } from './undoUpdates.ts'

const [first, second] = ['5a', '5b'].map((byte): Address => `0x${byte.repeat(20)}`) as [Address, Address]
const log = { address: first, topics: [tokenTopic.contractUriUpdated] } as unknown as RpcLog

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => database.db.transaction((tx) => tx.script('TRUNCATE collection, contract_metadata, metadata_undo')))

type Key = { partition: number; id: bigint }

/** Two followed contracts; `log` is an announcement of the first one. */
async function follow() {
  const { db } = database
  const keys = [await seedCollection(db, { address: first }), await seedCollection(db, { address: second })] as const
  const form = { chainId: 1n, standard: 'ERC721', idInData: false } as const
  const followed = new Map([
    [first, { ...keys[0], ...form, address: first }],
    [second, { ...keys[1], ...form, address: second }],
  ])
  return {
    keys,
    /** Stores the logs of a block. `block`: undefined if it is final. */
    apply: (block: bigint | undefined, logs: RpcLog[]) =>
      db.transaction(async (tx) => {
        const changes = metadataChanges([], logs, followed)
        await markChanged(tx, changes, 0)
        if (block !== undefined) await recordUpdates(tx, changes, { chainId: 1n, number: block, isWhole: () => true })
      }),
    /** Undoes the blocks above `fork`. */
    undo: (fork: bigint) => db.transaction((tx) => revertUpdates(tx, 1n, fork, 0)),
    /** Whether a contract is due; empty: it was never requested. */
    async dueOf({ partition, id }: Key) {
      const sql = 'SELECT due_at <= now() FROM contract_metadata WHERE partition = $1 AND collection_id = $2'
      return (await db.rows<[boolean | null]>(sql, [partition, id])).flat()
    },
    /** Reads the due contracts; `meanwhile` runs before they are settled. */
    async read(meanwhile?: () => Promise<void>) {
      const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))
      const due = await readDueContracts(db, { chains: [1n], partitions, lent: new Map() }, { limit: 10, running: [] })
      await meanwhile?.()
      for (const one of due) await settleContract(db, one, { kind: 'none', reason: 'of a test' })
    },
  }
}

test('behavior: contract metadata is read again after an ERC-7572 event, and after a reorg of the event', async () => {
  const { keys, apply, undo, dueOf, read } = await follow()
  const [own, other] = keys
  await apply(5n, [log])
  // No client requested this contract.
  expect(await dueOf(own)).toEqual([])
  await requestContracts(database.db, keys)
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
    await undo(fork)
    expect([await dueOf(own), await dueOf(other)]).toEqual([[due], [null]])
  }
  // Events in history are from final blocks, which are never undone.
  await read()
  await apply(undefined, [log])
  await read()
  await undo(6n)
  expect(await dueOf(own)).toEqual([null])
})

test('behavior: each of two reorgs that undo one event after the other starts a read of contract metadata', async () => {
  const { keys, apply, undo, dueOf, read } = await follow()
  await requestContracts(database.db, keys)
  for (const block of [5n, 6n]) await apply(block, [log])
  for (const fork of [5n, 4n]) {
    await read()
    await undo(fork)
    expect(await dueOf(keys[0])).toEqual([true])
  }
  await read()
  await undo(3n)
  expect(await dueOf(keys[0])).toEqual([null])
})

test('behavior: contract metadata that was first requested after an event is read again after a reorg of the event', async () => {
  const { keys, apply, undo, dueOf, read } = await follow()
  await apply(5n, [log])
  await requestContracts(database.db, keys)
  await read()
  await undo(4n)
  expect([await dueOf(keys[0]), await dueOf(keys[1])]).toEqual([[true], [null]])
})
