import { expect, onTestFinished, test, vi } from 'vitest'
import { indexHeaders } from '../../src/api/nft/collections/indexHeaders.ts'
import { knownChains } from '../../src/chain/evm/chains.ts'
import type { ContractReader } from '../../src/chain/evm/contracts/contract.ts'
import { BlockUnsettledError } from '../../src/chain/evm/source/sourceError.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { followCollections } from '../../src/nft/index/followCollections.ts'
import { decodeState, selectState } from '../../src/nft/pages/collections/state.ts'
import { faultOf, readChainOverview } from '../../src/service/chainOverview.ts'
import { insertChain, noteChainFailure } from '../../src/sync/chainStore.ts'
import { createFollower } from '../../src/sync/follow.ts'
import { hexToBuffer } from '../../src/util/hex.ts'
import { noopLog } from '../../src/util/log.ts'
import { createTestDatabase } from '../database.ts'
import { createScriptedChain } from '../scriptedChain.ts'
import { seedCollection } from '../seedCollection.ts'
import { seedLease, seedWorker } from '../seedLease.ts'

const address = '0x00000000000000000000000000000000000000aa'
const { signal } = new AbortController()

test('behavior: a chain stalled by an inconsistent node response is not SYNCED and reports why, until it continues', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(() => drop())
  const scripted = createScriptedChain(address, 2)
  for (let i = 0; i < 4; i++) scripted.add([{ token: i, from: 0, to: 2 }])
  const worker = await seedWorker(db)
  await seedLease(db, 'chain', 1, worker)
  await insertChain(db, 1n, (await scripted.source.identity()).genesisHash, 0n, 0n)
  const columns = { status: 'syncing', standard: 'ERC721', from_block: 0n, to_block: 2n, coverage: '{[0,3)}' }
  const { partition } = await seedCollection(db, { address, chainId: 1n, columns })
  const chain = { ...knownChains[0]!, name: 'eth', configured: false }
  let isReadable = true
  const source: typeof scripted.source = {
    ...scripted.source,
    blockLogs(header, wanted, stopped) {
      if (isReadable) return scripted.source.blockLogs(header, wanted, stopped)
      throw new BlockUnsettledError({
        chain: 'eth',
        block: header,
        reasons: ['eth_getLogs at node: a log without data'],
      })
    },
  }
  const common = { chain, source, db, metrics: createMetrics(), log: noopLog }
  const handler = await followCollections({
    ...common,
    contracts: {} as ContractReader,
    metadataCoolOffMs: 0,
    maxTokens: 1_000,
  })
  const follower = createFollower({ ...common, handler, worker: () => worker })
  const state = async () => {
    const [row] = await db.rows(selectState, [partition, 1n, hexToBuffer(address)])
    return decodeState(row!)
  }
  const failure = async () => {
    const headers = indexHeaders(await state())
    const at = headers.indexOf('x-index-failure')
    return at === -1 ? null : headers[at + 1]
  }
  const untilIdle = async () => {
    for (let i = 0; i < 50; i++) if ((await follower.step(signal)) === 'idle') return
  }
  // The missing part of a collection up to the head is read in parallel with the steps.
  const untilSynced = () =>
    vi.waitUntil(async () => {
      await untilIdle()
      return (await state())?.synced
    })
  await untilSynced()
  expect(await state()).toMatchObject({ status: 'live', synced: true, reason: null })

  isReadable = false
  scripted.add([{ token: 9, from: 0, to: 2 }])
  const error = await follower.step(signal).catch((fault: unknown) => fault as Error)
  expect(error).toBeInstanceOf(BlockUnsettledError)
  await noteChainFailure(db, { chainId: 1n, worker, failure: (error as Error).message, contradicted: false })
  expect(await state()).toMatchObject({ status: 'live', synced: false, toBlock: 4n, headBlock: 5n })
  expect(await failure()).toContain('a log without data')
  const [overview] = await readChainOverview(db, [1n])
  expect(faultOf(overview!)).toContain('a log without data')

  isReadable = true
  await untilSynced()
  expect(await state()).toMatchObject({ synced: true, reason: null, toBlock: 5n })
  expect(await failure()).toBe(null)
})
