import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { historySubject, readWholeHistory } from '../../../test/historySlice.ts'
import { createScriptedChain } from '../../../test/scriptedChain.ts'
import { seedLease, seedWorker } from '../../../test/seedLease.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import { type Hex, hexToBuffer } from '../../util/hex.ts'

const address = `0x${'aa'.repeat(20)}` as const
const word = (n: number) => n.toString(16).padStart(64, '0')
let database: TestDatabase
let worker: number

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  const { db } = database
  await db.transaction((tx) => tx.script('TRUNCATE collection, token, transfer, contract_metadata, worker, lease'))
  worker = await seedWorker(db)
  await seedLease(db, 'partition', 7, worker)
})

/** Mints ten tokens, burns the fourth and mints it again. Its node returns only logs with requested topics, in ranges of three blocks. */
function scripted(): EvmSource {
  const chain = createScriptedChain(address, 0)
  for (let token = 0; token < 10; token++) chain.add([{ token, from: 0, to: 1 }])
  chain.add([{ token: 3, from: 1, to: 0 }])
  chain.add([{ token: 3, from: 0, to: 2 }])
  chain.add([])
  const [minted] = chain.logs()
  const event = (block: number, topic: Hex, data: number[]): RpcLog => ({
    ...minted!,
    ...{
      blockNumber: `0x${block.toString(16)}`,
      logIndex: '0x9',
      topics: [topic],
      data: `0x${data.map(word).join('')}`,
    },
  })
  const announced = [
    event(4, tokenTopic.metadataUpdate, [2]),
    event(8, tokenTopic.contractUriUpdated, []),
    event(12, tokenTopic.batchMetadataUpdate, [5, 7]),
  ]
  return {
    ...chain.source,
    async logs(range, signal) {
      const to = range.to > range.from + 2n ? range.from + 2n : range.to
      const answer = await chain.source.logs({ ...range, to }, signal)
      const isIn = ({ blockNumber }: RpcLog) => BigInt(blockNumber) >= range.from && BigInt(blockNumber) <= to
      const logs = [...answer.logs, ...announced.filter(isIn)]
      return { ...answer, logs: logs.filter(({ topics }) => range.topics[0]!.includes(topics[0]!)) }
    },
  }
}

async function read(wasLive: boolean) {
  const { db } = database
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block) VALUES (7, 1, $1, 'syncing', 'ERC721', 0) RETURNING id`,
    [hexToBuffer(address)],
  )
  await db.run(
    'INSERT INTO contract_metadata (partition, collection_id, chain_id, due_at, tried_at) VALUES (7, $1, 1, NULL, now())',
    [row![0]],
  )
  const collection = { partition: 7, id: row![0], address, coverage: [], fromBlock: 0n, wasLive }
  const settings = { rangesInFlight: 2, maxTokens: 1_000 }
  const subject = { ...historySubject(collection), wasLive }
  expect(await readWholeHistory({ db, source: scripted(), worker, settings }, subject)).toBe('complete')
  const [found] = await db.rows(
    'SELECT c.metadata_stale::text, m.due_at IS NOT NULL FROM collection c JOIN contract_metadata m ON m.collection_id = c.id',
  )
  return found
}

test('behavior: the history of a collection that was live marks metadata that events and burns changed meanwhile', async () => {
  expect(await read(true)).toEqual(['{[2,4),[5,8)}', true])
})

test('default: the history of a new collection requests no events of metadata', async () => {
  expect(await read(false)).toEqual(['{}', false])
})
