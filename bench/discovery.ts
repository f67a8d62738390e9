import { createHash } from 'node:crypto'
import { knownChains } from '../src/chain/evm/chains.ts'
import type { ContractReader } from '../src/chain/evm/contracts/contract.ts'
import { parseJson } from '../src/chain/evm/rpc/parseJson.ts'
import type { Header, RpcLog } from '../src/chain/evm/rpc/rpc.ts'
import { checkLogs } from '../src/chain/evm/source/decodedLogs.ts'
import type { EvmSource } from '../src/chain/evm/source/source.ts'
import { tokenTopic } from '../src/chain/evm/source/tokenEvents.ts'
import { createDatabase, type Database } from '../src/db/database.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { createMetrics } from '../src/metrics/metrics.ts'
import { followDiscovery } from '../src/nft/discovery/followDiscovery.ts'
import { followCollections } from '../src/nft/index/followCollections.ts'
import { followWallets } from '../src/nft/walletHistory/followWallets.ts'
import { insertChain } from '../src/sync/chainStore.ts'
import { combineHandlers } from '../src/sync/combineHandlers.ts'
import { createFollower } from '../src/sync/follow.ts'
import { createLeases } from '../src/sync/leases/lease.ts'
import { partitionSql } from '../src/sync/partition.ts'
import type { Hex } from '../src/util/hex.ts'
import { noopLog } from '../src/util/log.ts'
import { type Figure, medians, p99, type Row } from './figure.ts'
import { type SocketConnection, startTemporaryPostgres } from './temporaryPostgres.ts'

const finalityDepth = 64
const blocksOfRound = 100
export const rounds = 3

/** The logs of NFTs in each block, and the number of their contracts. A tenth of these is new in each block. */
export type Shape = { name: string; logs: number; contracts: number }
/**
 * What the follower does. `wallets`: number of followed wallets; one in 150 transfers is of such a wallet. `reads`: it also parses the logs
 * out of a node's response.
 */
type Followed = { discover: boolean; wallets: number; reads?: boolean }
const shapes: Shape[] = [
  { name: '300 transfers of 60 contracts a block', logs: 300, contracts: 60 },
  { name: '10,000 transfers of 500 contracts a block', logs: 10_000, contracts: 500 },
]

/** The sender of a transfer. Every hundredth one may be a followed wallet. */
const holderAt = (place: number) => 1_000 + (place % 10_000_000)

const hashOf = (text: string): Hex => `0x${createHash('sha256').update(text).digest('hex')}`
const word = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`

function createSource({ logs, contracts }: Shape, reads: boolean): { source: EvmSource; grow(): void } {
  let head = 0
  /** `grow` makes them before the step that reads them. */
  let made: RpcLog[] = []
  let answer = Buffer.alloc(0)
  const header = (number: number): Header => ({
    ...{ number: BigInt(number), hash: hashOf(`block ${number}`), parentHash: hashOf(`block ${number - 1}`) },
    ...{ timestamp: BigInt(1_700_000_000 + 12 * number), logsBloom: null, transactionCount: logs },
  })
  const logsOf = (number: number): RpcLog[] => {
    const blockHash = hashOf(`block ${number}`)
    return Array.from({ length: logs }, (_, i) => {
      const place = i % contracts
      const contract = place < contracts / 10 ? number * contracts + place : place
      return {
        address: `0x${contract.toString(16).padStart(40, '0')}`,
        topics: [tokenTopic.transfer, i % 3 === 0 ? word(0) : word(holderAt(number * logs + i)), word(7), word(i)],
        data: '0x',
        ...{ blockNumber: `0x${number.toString(16)}`, blockHash },
        ...{ transactionHash: word(i), transactionIndex: '0x0', logIndex: `0x${i.toString(16)}` },
      }
    })
  }
  const source = {
    async head() {
      const finalized = BigInt(Math.max(0, head - finalityDepth))
      return { head: header(head), finalized, finalizedUnderHead: finalized }
    },
    headerUnder: async (_: Header, number: bigint) => header(Number(number)),
    headers: async (from: bigint, to: bigint) =>
      Array.from({ length: Number(to - from) + 1 }, (_, i) => header(Number(from) + i)),
    blockLogs: async () => (reads ? readAnswer(answer, head) : made),
  } as unknown as EvmSource
  const grow = () => {
    // JSON.parse makes flat strings, as in logs out of a node's response.
    const text = JSON.stringify(logsOf(++head))
    made = JSON.parse(text)
    answer = Buffer.from(text)
  }
  return { source, grow }
}

/** Parses the logs of a block out of a node's response as the product does. */
function readAnswer(answer: Buffer, block: number): RpcLog[] {
  const parsed = parseJson(answer, 100)
  const verdict = parsed === 'too_nested' ? undefined : checkLogs(parsed.json, { topics: [], from: block, to: block })
  if (!verdict || !('logs' in verdict)) throw new Error(`the logs of block ${block} cannot be read`)
  return verdict.logs
}

/** Returns the times of a hundred steps at the head, in ascending order. */
export async function timeSteps(
  connection: SocketConnection,
  id: bigint,
  shape: Shape,
  { discover, wallets, reads = false }: Followed,
): Promise<number[]> {
  const metrics = createMetrics()
  const db = createDatabase({ connection, poolSize: 4, log: noopLog })
  await migrate(db, noopLog)
  const chain = { ...knownChains[0]!, id, name: `chain ${id}`, configured: true, discover }
  const leases = await createLeases({
    db,
    log: noopLog,
    keys: { partition: [], chain: [id], aptos: [] },
    onChange() {},
  })
  await insertChain(db, id, hashOf('block 0'), 0n, 0n, 60_000)
  await addWallets(db, id, wallets)
  const { source, grow } = createSource(shape, reads)
  const common = { chain, source, db, metrics, log: noopLog }
  const handler = combineHandlers([
    await followCollections({ ...common, contracts: {} as ContractReader, metadataCoolOffMs: 0, maxTokens: 1_000 }),
    await followWallets({ ...common, maxTransfers: 200_000, onMoves: () => undefined }),
    followDiscovery({ chain, db, keepDays: 7, metrics }),
  ])
  const follower = createFollower({ ...common, handler, worker: () => leases.workerId() })
  const { signal } = new AbortController()
  const times: number[] = []
  for (let i = -finalityDepth; i < blocksOfRound; i++) {
    grow()
    const began = performance.now()
    await follower.step(signal)
    if (i >= 0) times.push(performance.now() - began)
  }
  await handler.close?.()
  await leases.close()
  await db.close()
  return times.sort((a, b) => a - b)
}

/** Inserts followed wallets of a chain. */
export async function addWallets(db: Database, chainId: bigint, wallets: number): Promise<void> {
  await db.run(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since, from_block, to_block, coverage)
     SELECT ${partitionSql('$1::int8', 'a.address')}, $1, a.address, 0, 'live', now(), 0, 0, '{[0,0]}'
     FROM generate_series(0, $2::int - 1) n
       CROSS JOIN LATERAL (SELECT decode(lpad(to_hex(${holderAt(0)} + 100 * n), 40, '0'), 'hex') AS address) a`,
    [chainId, wallets],
  )
  await db.run('ANALYZE wallet')
}

/** Measures a step at the head with `discover` off and on. */
export const discovery: Figure = {
  name: 'discovery',
  title: 'A step at the head with and without discover, a tenth of the contracts of each block new',
  async run() {
    const postgres = await startTemporaryPostgres()
    let chain = 1n
    const rows: Row[] = []
    for (const shape of shapes)
      rows.push(
        ...(await medians(rounds, async () => {
          const off = await timeSteps(postgres.connection, chain++, shape, { discover: false, wallets: 0 })
          const on = await timeSteps(postgres.connection, chain++, shape, { discover: true, wallets: 0 })
          return [
            { what: `${shape.name}: off, median`, value: off[off.length >> 1]!, unit: 'ms' },
            { what: 'on, median', value: on[on.length >> 1]!, unit: 'ms' },
            { what: 'on, p99', value: p99(on), unit: 'ms' },
          ]
        })),
      )
    await postgres.stop()
    return rows
  },
}
