import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { openSource } from '../../../test/evmSource.ts'
import { historySubject, readWholeHistory } from '../../../test/historySlice.ts'
import { createRpcServer, RpcFailure, type RpcHandler } from '../../../test/rpcServer.ts'
import { createScriptedNode, type ScriptedLog, type ScriptedNode } from '../../../test/scriptedNode.ts'
import { seedLease, seedWorker } from '../../../test/seedLease.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import { type Hex, hexToBuffer } from '../../util/hex.ts'
import { createDecodeThreads, type DecodeThreads } from './createDecodeThreads.ts'

const address = '0x00000000000000000000000000000000000000aa'
const other = '0x00000000000000000000000000000000000000bb'
/** Number of blocks with logs. All others are above the follower's final block, so that history ends before the logs near the head. */
const busy = 100
const blocks = busy + 1_100
const inBlock = 40

type Kind = 'ERC721' | 'both'

const started = new Set<Worker>()
/** Number of further threads that the test kills once they have a job. */
let kills = 0
let killed = 0
const onWorker = (worker: Worker) => {
  started.add(worker)
  worker.once('exit', () => started.delete(worker))
  // The first message of a thread reports that it has loaded. The pool receives it first and assigns a job.
  worker.once('message', () => {
    if (killed >= kills) return
    killed++
    void worker.terminate()
  })
}

let database: TestDatabase
let worker: number
let nodes: Record<Kind, ScriptedNode>

beforeAll(async () => {
  nodes = { ERC721: createChain('ERC721'), both: createChain('both') }
  database = await createTestDatabase()
  worker = await seedWorker(database.db)
  await seedLease(database.db, 'partition', 7, worker)
  await database.db.run(
    `INSERT INTO chain (id, genesis_hash, block_number, block_hash, head_number, finalized_number) VALUES (1, '\\x00', $1, '\\x00', $1, $1)`,
    [BigInt(busy)],
  )
  process.on('worker', onWorker)
})
afterEach(async () => {
  kills = 0
  killed = 0
  await vi.waitUntil(() => started.size === 0)
})
afterAll(async () => {
  process.off('worker', onWorker)
  await database.drop()
})

const word = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

/** Mints, moves and burns of more tokens than a range has, some of them with 256-bit ids. */
function createChain(standards: Kind): ScriptedNode {
  const node = createScriptedNode({ blooms: false })
  let made = 0
  const log = (): ScriptedLog => {
    const n = made++
    const id = n % 5 === 0 ? 2n ** 255n + BigInt(n % 700) : BigInt(n % 900)
    const [from, to] = [word(n < 900 ? 0 : (n * 7) % 40), word((n * 11) % 41)]
    if (standards === 'ERC721' || (standards === 'both' && n % 3 === 0))
      return { address, topics: [tokenTopic.transfer, from, to, word(id)] }
    const data: Hex = `${word(id)}${word(n % 3).slice(2)}`
    return { address, topics: [tokenTopic.transferSingle, word(9), from, to], data }
  }
  for (let number = 1; number < blocks; number++) node.add(number < busy ? Array.from({ length: inBlock }, log) : [])
  node.finalized = blocks - 1
  return node
}

const tables: Record<string, string> = {
  transfer:
    'position, item, token_id, from_address, to_address, amount, transaction_hash, transaction_index, operator, block_hash, block_time',
  token:
    'token_hash, token_id, owner, minter, last_position, first_position, minted_position, amount, holders, transfers, erc1155',
  balance: 'token_hash, holder, amount',
  transfer_range: 'range, chain_id',
  collection: 'tokens, token_rows, coverage, to_block, mixed',
}

/** Reads the whole history with this number of threads and returns every stored row. `decoded`: responses that threads decoded. */
async function readWith(
  threads: number,
  options: { standards?: Kind; handlers?: RpcHandler[]; width?: number } = {},
): Promise<{ rows: Record<string, string[]>; decoded: number; prepared: number; omissions: Record<string, number> }> {
  const { standards = 'ERC721', handlers = [nodes[standards].handler()], width = 4 } = options
  const { db } = database
  const standard = standards === 'both' ? 'ERC721' : standards
  await db.transaction((tx) =>
    tx.script('TRUNCATE collection, token, balance, transfer, transfer_range, wallet_due, left_out'),
  )
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block) VALUES (7, 1, $1, 'syncing', $2, 0) RETURNING id`,
    [hexToBuffer(address), standard],
  )
  const form = { standard, idInData: false }
  const subject = historySubject({ partition: 7, id: row![0], address, coverage: [], fromBlock: 0n } as const)
  const servers = await Promise.all(handlers.map((handler) => createRpcServer(handler)))
  await using over = openSource(servers)
  const pool = createDecodeThreads({ threads })
  let [decoded, prepared] = [0, 0]
  const decoding: Omit<DecodeThreads, 'close'> = {
    ...pool,
    prepare(logs, collection, signal) {
      return pool.prepare(logs, collection, signal)?.then((answer) => {
        prepared++
        return answer
      })
    },
    decoderOf(collection) {
      const decoder = pool.decoderOf(collection)
      return (
        decoder &&
        ((reply, signal) =>
          decoder(reply, signal)?.then((answer) => {
            if (answer.verdict && 'decoded' in answer.verdict.of) decoded++
            return answer
          }))
      )
    },
  }
  try {
    const settings = { rangesInFlight: 3, maxTokens: 100_000 }
    const outcome = await readWholeHistory(
      { db, source: over.source, worker, settings, decoding, width },
      { ...subject, form },
    )
    expect(outcome).toBe('complete')
  } finally {
    await pool.close()
    await Promise.all(servers.map((server) => server.close()))
  }
  const rows: Record<string, string[]> = {}
  for (const [table, columns] of Object.entries(tables))
    rows[table] = (await db.rows<[string]>(`SELECT ROW(${columns})::text FROM ${table} ORDER BY ${columns}`)).flat()
  return { rows, decoded, prepared, omissions: await over.omissions() }
}

test.each(['ERC721', 'both'] as const)(
  'behavior: rows of %s are the same with 0, 1 and 4 decode threads',
  async (standards) => {
    const here = await readWith(0, { standards })
    expect(here.decoded).toBe(0)
    expect(here.rows.transfer).toHaveLength((busy - 1) * inBlock)
    for (const threads of [1, 4]) {
      const there = await readWith(threads, { standards })
      expect(there.rows).toEqual(here.rows)
      expect(there.decoded).toBeGreaterThan(0)
    }
  },
)

test.each([1, 4])(
  'behavior: with %i decode threads, every row is stored once even if threads are killed midway',
  async (threads) => {
    const undisturbed = await readWith(0)
    kills = 2
    const { rows, decoded } = await readWith(threads)
    expect(killed).toBe(2)
    expect(rows).toEqual(undisturbed.rows)
    expect(decoded).toBeGreaterThan(0)
  },
)

test('behavior: if every decode thread is killed, the main thread decodes, and every row is stored once', async () => {
  const undisturbed = await readWith(0)
  kills = Number.POSITIVE_INFINITY
  const { rows, decoded } = await readWith(1)
  expect(killed).toBeGreaterThan(2)
  expect(decoded).toBe(0)
  expect(rows).toEqual(undisturbed.rows)
})

test('error: a long response with a log of another contract is rejected as inconsistent, and another node is queried', async () => {
  const honest = nodes.ERC721.handler()
  const undisturbed = await readWith(0)
  const { rows, omissions } = await readWith(1, {
    handlers: [
      async (call, exchange) => {
        const answer = await honest(call, exchange)
        if (call.method !== 'eth_getLogs' || !Array.isArray(answer) || answer.length < 150) return answer
        return answer.with(100, { ...answer[100], address: other })
      },
      honest,
    ],
  })
  expect(rows).toEqual(undisturbed.rows)
  expect(omissions.wrong_log).toBeGreaterThan(0)
})

test.each([0, 1])(
  'behavior: logs of a node with a range limit are prepared by a thread, %i of which is killed, and every row is stored once',
  async (killing) => {
    const capped: RpcHandler = (call, exchange) => {
      const { fromBlock, toBlock } = (call.params[0] ?? {}) as { fromBlock?: Hex; toBlock?: Hex }
      return call.method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 5
        ? new RpcFailure(-32_000, 'block range too large, max range: 5')
        : nodes.both.handler()(call, exchange)
    }
    const options = { standards: 'both' as const, handlers: [capped], width: 100 }
    const undisturbed = await readWith(0, options)
    kills = killing
    const { rows, prepared } = await readWith(1, options)
    expect(killed).toBe(killing)
    expect(rows).toEqual(undisturbed.rows)
    expect(prepared > 0).toBe(killing === 0)
  },
)
