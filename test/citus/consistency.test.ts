import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import type { Header } from '../../src/chain/evm/rpc/rpc.ts'
import { readBlockAt } from '../../src/nft/asOf/readBlockAt.ts'
import { createNftQuery } from '../../src/nft/pages/createNftQuery.ts'
import { storeTransfers } from '../../src/nft/store/storeTransfers.ts'
import { zeroAddress } from '../../src/nft/transfers/transfer.ts'
import { transferGroup } from '../../src/nft/transfers/transferGroup.ts'
import { readWalletCoverage } from '../../src/nft/wallets/readWalletCoverage.ts'
import { checkLedger } from '../../src/stream/ledger/checkLedger.ts'
import { enqueueWebhooks } from '../../src/stream/ledger/enqueueWebhooks.ts'
import { insertBlocks, moveCursor } from '../../src/sync/chainStore.ts'
import { patience } from '../patience.ts'
import { insertStreams, testWebhook } from '../stream/streams.ts'
import { holdCommit } from './inDoubt.ts'
import { collectionOn, hashOf, transferAt } from './nodes.ts'
import { testOnTwoNodes } from './onTwoNodes.ts'
import { openChain } from './openChain.ts'

const chainId = 31_337n
const holders = ['11', '22'].map((digits) => digits.repeat(20)) as [string, string]
const headerOf = (number: bigint): Header => ({
  number,
  hash: hashOf(number),
  parentHash: hashOf(number - 1n),
  timestamp: 1_700_000_000n + number,
  logsBloom: `0x${'00'.repeat(256)}`,
  transactionCount: 0,
})

testOnTwoNodes(
  'behavior: between the commits of two nodes no page claims a block without its rows, and the ledger balances (skipped without a cluster of two workers)',
  async () => {
    const { db, workers, nodes, worker } = await openChain(chainId)
    // A collection and a stream on each worker.
    const collections = await Promise.all([0, 1].map((node) => collectionOn(db, { nodes, node, chainId })))
    const streams = [0, 1].map((node) => streamOn(nodes, node))
    const [first] = await insertStreams(db, ['http://127.0.0.1/'])
    const query = createNftQuery({ db })

    /** The steps of the follower for a block, in the same order. */
    const apply = (number: bigint, from: string, to: string) =>
      db.transaction(async (tx) => {
        const block = { number, hash: hashOf(number) }
        expect(await moveCursor(tx, { chainId, worker, block, head: number, finalized: 0n })).toBe(true)
        const groups = collections.map((key) => transferGroup(key, [transferAt(number, '7', from, to)]))
        await storeTransfers(tx, groups, { chainId, number })
        await insertBlocks(tx, chainId, [headerOf(number)])
        await enqueueWebhooks(
          tx,
          streams.map((stream) => testWebhook({ ...first!, ...stream }, { number: Number(number) })),
        )
      })
    /** The block that a collection's page reports, and the owner that it shows at the same time. */
    const shown = (of: number) => async () => {
      const { address, partition, id } = collections[of]!
      const { toBlock } = (await query.state(chainId, address))!
      const [row] = await db.rows<[Buffer]>('SELECT owner FROM token WHERE partition = $1 AND collection_id = $2', [
        partition,
        id,
      ])
      return [toBlock, row?.[0].toString('hex')]
    }
    const balanced = async () => expect((await checkLedger(db)).unbalanced).toEqual([])

    await apply(1_001n, zeroAddress, holders[0])
    const held = await holdCommit(workers)
    const applied = apply(1_002n, ...holders)
    await held.arrive()
    await expect.poll(shown(1), patience).toEqual([1_002n, holders[1]])
    for (let look = 0; look < 5; look++) {
      expect(await shown(0)()).toEqual([1_001n, holders[0]])
      expect(await shown(1)()).toEqual([1_002n, holders[1]])
      await balanced()
    }
    // An earlier state comes from the node with the rows, too. Wallets are covered only as far as every node is.
    expect(await readBlockAt(db, collections[0]!, 1_002n)).toMatchObject({ covered: false, hash: null })
    expect(await readBlockAt(db, collections[1]!, 1_002n)).toMatchObject({ covered: true, hash: hashOf(1_002n) })
    expect((await readWalletCoverage(db, chainId)).toBlock).toBe(1_000n)

    held.end()
    await applied
    expect(await shown(0)()).toEqual([1_002n, holders[1]])
    await balanced()
  },
)

testOnTwoNodes(
  'behavior: a block waits for an earlier block in doubt on a node, and nothing is lost or duplicated (skipped without a cluster of two workers)',
  async () => {
    const { db, workers, nodes, worker } = await openChain(chainId)
    const key = await collectionOn(db, { nodes, node: 0, chainId })
    const apply = (number: bigint, from: string, to: string) =>
      db.transaction(async (tx) => {
        const block = { number, hash: hashOf(number) }
        await moveCursor(tx, { chainId, worker, block, head: number, finalized: 0n })
        await storeTransfers(tx, [transferGroup(key, [transferAt(number, '7', from, to)])], { chainId, number })
      })
    const held = await holdCommit(workers)
    const before = apply(1_001n, zeroAddress, holders[0])
    await held.arrive()
    const waiting = vi.fn()
    const after = apply(1_002n, ...holders).then(waiting)
    const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await vi.waitUntil(async () => (await workers[0]!.query(waits)).rows.length > 0, patience)
    expect(waiting).not.toHaveBeenCalled()
    held.end()
    await Promise.all([before, after])
    expect(await db.rows('SELECT encode(owner, $1), transfers FROM token', ['hex'])).toEqual([[holders[1], 2]])
  },
)

function streamOn(nodes: readonly number[], node: number): { id: string; partition: number } {
  return { id: randomUUID(), partition: nodes.indexOf(node) }
}
