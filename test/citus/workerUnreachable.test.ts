// @module-tag citus

import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { errorAnswer } from '../../src/api/http/errorAnswer.ts'
import { isConnectionError } from '../../src/db/databaseError.ts'
import { createNftQuery } from '../../src/nft/pages/createNftQuery.ts'
import { raiseVersions } from '../../src/nft/store/collectionStore.ts'
import { storeTransfers } from '../../src/nft/store/storeTransfers.ts'
import { zeroAddress } from '../../src/nft/transfers/transfer.ts'
import type { CollectionKey } from '../../src/nft/transfers/transferGroup.ts'
import { historyGroup, transferGroup } from '../../src/nft/transfers/transferGroup.ts'
import { moveCursor } from '../../src/sync/chainStore.ts'
import { storageFault } from '../../src/util/faults/storageFault.ts'
import { patience } from '../patience.ts'
import { seedLease, seedWorker } from '../seedLease.ts'
import { clusterMissing } from './cluster.ts'
import { collectionOn, hashOf, transferAt, workersOfPartitions } from './nodes.ts'
import { startOwnCluster } from './ownCluster.ts'

const chainId = 31_337n
const [alice, bob] = ['11', '22'].map((digits) => digits.repeat(20)) as [string, string]

test.skipIf(clusterMissing !== undefined)(
  'behavior: while a worker is unreachable, the other works, the rest returns 503, following catches up, and COPY reports its lost node (skipped where no Citus is installed)',
  async () => {
    const { cluster, postgres, connection, db } = await startOwnCluster({ name: 'away', poolSize: 4 })
    const worker = await seedWorker(db)
    await seedLease(db, 'chain', chainId, worker)
    const nodes = await workersOfPartitions(connection, postgres.workers)
    const unreachable = await collectionOn(db, { nodes, node: 0, chainId })
    const there = await collectionOn(db, { nodes, node: 1, chainId })
    const query = createNftQuery({ db })
    const apply = (number: bigint, from: string, to: string) =>
      db.transaction(async (tx) => {
        const block = { number, hash: hashOf(number) }
        await moveCursor(tx, { chainId, worker, block, head: number, finalized: 0n })
        const groups = [unreachable, there].map((key) => transferGroup(key, [transferAt(number, '7', from, to)]))
        await storeTransfers(tx, groups, { chainId, number })
      })
    const owner = async ({ partition, id }: typeof unreachable) =>
      (
        await db.rows<[string, number]>(
          `SELECT encode(owner, 'hex'), transfers FROM token WHERE partition = $1 AND collection_id = $2 AND token_id = 7`,
          [partition, id],
        )
      )[0]
    const history = (key: CollectionKey, from: bigint) =>
      db.transaction(async (tx) => {
        const token = String(from)
        const moves = [transferAt(from, token, zeroAddress, alice), transferAt(from + 1n, token, alice, bob)]
        await raiseVersions(tx, await storeTransfers(tx, [historyGroup(key, moves)]))
        await raiseVersions(
          tx,
          await storeTransfers(tx, [transferGroup(key, [transferAt(from + 2n, token, bob, alice)])]),
        )
      })
    const answer = (requested: Promise<unknown>) =>
      requested.then(
        () => 200,
        (error: unknown) => errorAnswer(error).status,
      )

    await apply(1_001n, zeroAddress, alice)
    await cluster.stopWorker(1)
    for (let again = 0; again < 3; again++) {
      expect(await answer(query.state(chainId, unreachable.address))).toBe(503)
      expect((await query.state(chainId, there.address))?.toBlock).toBe(1_001n)
      // The cursor is on every node.
      expect(await answer(apply(1_002n, alice, bob))).toBe(503)
      // History of an ERC-721 touches only the node of that collection.
      expect(await answer(history(there, 100n * BigInt(again + 1)))).toBe(200)
      expect(await answer(history(unreachable, 100n))).toBe(503)
    }
    expect(await owner(there)).toEqual([alice, 1])
    const name = 'UPDATE collection SET name = $3 WHERE partition = $1 AND id = $2'
    expect(await db.transaction((tx) => tx.run(name, [there.partition, there.id, 'Written']))).toBe(1)
    expect((await query.state(chainId, there.address))?.name).toBe('Written')
    expect(await answer(db.run(name, [unreachable.partition, unreachable.id, 'Lost']))).toBe(503)

    await cluster.startWorker(1)
    await expect.poll(() => answer(apply(1_002n, alice, bob)), patience).toBe(200)

    // If the node fails in the middle of a transaction or a COPY, the coordinator reports SQLSTATEs that normally mean something else.
    const line = `${unreachable.partition}\t${unreachable.id}\t${crypto.randomUUID()}\n`
    const copyAs = (goes: 'before' | 'within') =>
      db.transaction(async (tx) => {
        await tx.run('DELETE FROM stage_gone WHERE partition = $1', [unreachable.partition])
        if (goes === 'before') await cluster.stopWorker(1)
        async function* lines() {
          yield line
          if (goes === 'within') await cluster.stopWorker(1)
          yield line
        }
        await tx.copy('COPY stage_gone FROM STDIN', Readable.from(lines()))
      })
    for (const goes of ['before', 'within'] as const) {
      const failure: unknown = await copyAs(goes).catch((error: unknown) => error)
      expect([isConnectionError(failure), storageFault(failure)], `${goes}: ${failure}`).toEqual([true, undefined])
      await cluster.startWorker(1)
      await expect.poll(() => answer(db.rows('SELECT count(*) FROM stage_gone')), patience).toBe(200)
    }
    for (const key of [unreachable, there]) {
      expect(await owner(key)).toEqual([bob, 2])
      expect((await query.state(chainId, key.address))?.toBlock).toBe(1_002n)
    }
  },
)
