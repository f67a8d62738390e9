import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { evmChain } from '../../../test/evmChain.ts'
import { createScriptedChain } from '../../../test/scriptedChain.ts'
import type { EvmSource } from '../../chain/evm/source.ts'
import type { Database } from '../../db/database.ts'
import { silentLog } from '../../log.ts'
import { insertBlocks, insertChain, moveCursor } from '../../sync/chainStore.ts'
import { createStreamDemand } from '../definition/createStreamDemand.ts'
import { createStreamSchema } from '../demand.ts'
import { joinStreams } from './joinStreams.ts'

const contract = '0x00000000000000000000000000000000000000aa'
const tokens = { read: async () => new Map() }

/** A followed chain of four blocks with a transfer in each, and a stream that asks for all of it. */
async function open() {
  const database = await createTestDatabase()
  const { db } = database
  const scripted = createScriptedChain(contract, 64)
  for (let token = 1; token < 4; token++) scripted.add([{ token, from: 0, to: 1 }])
  const chain = evmChain(['http://127.0.0.1:1'])
  const headers = await scripted.source.headers(0n, scripted.head())
  const [row] = await db.rows<[number]>(`INSERT INTO worker (host, pid) VALUES ('test', 1) RETURNING id`)
  const worker = row![0]
  await db.run(`INSERT INTO lease (kind, key, worker_id) VALUES ('chain', $1, $2)`, [chain.id, worker])
  const cursor = { ...headers.at(-1)!, finalized: -1n, worker }
  await insertChain(db, chain.id, headers[0]!.hash, cursor.number, 0n)
  await db.transaction(async (tx) => {
    await insertBlocks(tx, chain.id, headers)
    await moveCursor(tx, { chainId: chain.id, worker, block: cursor, head: cursor.number, finalized: 0n })
  })
  const demand = createStreamDemand({
    db,
    chains: [chain],
    head: async () => cursor.number,
    sendTest: async () => ({ ok: true }),
  })
  const body = createStreamSchema.parse({
    webhookUrl: 'http://127.0.0.1:1/',
    description: 'of all',
    tag: 'all',
    chainIds: ['0x7a69'],
    allAddresses: true,
    includeContractLogs: true,
    topic0: ['Transfer(address,address,uint256)'],
    abi: [
      {
        type: 'event',
        name: 'Transfer',
        inputs: ['from', 'to', 'id'].map((name, i) => ({ name, type: i < 2 ? 'address' : 'uint256', indexed: true })),
      },
    ],
    fromBlocks: { '0x7a69': '0' },
  })
  await demand.create(body)
  const join = (source: EvmSource = scripted.source) =>
    joinStreams({ chain, source, db, tokens, log: silentLog }, cursor, new AbortController().signal)
  return { ...database, scripted, join, [Symbol.asyncDispose]: database.drop }
}

async function outcome(db: Database): Promise<unknown> {
  const [row] = await db.rows(`SELECT state, (SELECT count(*) FROM webhook) FROM stream_chain`)
  return row
}

test('default: a stream whose history is above the finalized block is matched up to the cursor and followed', async () => {
  await using t = await open()
  expect(await t.join()).toBe(true)
  expect(await outcome(t.db)).toEqual(['live', 3n])
})

test('error: a worker that lost the chain while it read joins nothing, though the cursor stands where it stood', async () => {
  await using t = await open()
  const source: EvmSource = {
    ...t.scripted.source,
    async headers(...range) {
      await t.db.run(`UPDATE lease SET worker_id = NULL WHERE kind = 'chain'`)
      return t.scripted.source.headers(...range)
    },
  }
  expect(await t.join(source)).toBe(false)
  expect(await outcome(t.db)).toEqual(['history', 0n])
})
