import type { RpcReceipt, RpcTransaction } from '../../src/chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../src/chain/evm/source/source.ts'
import type { Database } from '../../src/db/database.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { createStreamDemand, type StreamDemandOptions } from '../../src/stream/definition/createStreamDemand.ts'
import { readPendingAdditions } from '../../src/stream/definition/streamAddition.ts'
import { type PendingHistory, readPendingHistory } from '../../src/stream/definition/streamChain.ts'
import { createStreamSchema, type StreamDemand } from '../../src/stream/demand.ts'
import { additionSlice } from '../../src/stream/follow/additionSlice.ts'
import { followStreams } from '../../src/stream/follow/followStreams.ts'
import { HistoryLostError } from '../../src/stream/follow/historyError.ts'
import { historySlice } from '../../src/stream/follow/historySlice.ts'
import { webhookId } from '../../src/stream/ledger/webhookId.ts'
import type { SpamFilter, TokenReader } from '../../src/stream/payload/tokenReader.ts'
import type { WebhookKind } from '../../src/stream/query.ts'
import type { BlockHandler } from '../../src/sync/blockHandler.ts'
import { insertChain } from '../../src/sync/chainStore.ts'
import { createFollower, type Follower } from '../../src/sync/follow.ts'
import type { Address, Hex } from '../../src/util/hex.ts'
import { noopLog } from '../../src/util/log.ts'
import { createWorkPriority } from '../../src/util/workPriority.ts'
import { createTestDatabase } from '../database.ts'
import { evmChain } from '../evmChain.ts'
import { createScriptedChain, type ScriptedChain } from '../scriptedChain.ts'

const contract = '0x00000000000000000000000000000000000000aa'
export const confirmations = 3
const scriptedTransaction: Omit<RpcTransaction, 'hash' | 'from'> = {
  blockHash: '0x',
  transactionIndex: '0x0',
  to: contract,
  value: '0x0',
  gas: '0x0',
  gasPrice: '0x0',
  nonce: '0x0',
  input: '0x',
  type: '0x0',
  v: '0x0',
  r: '0x0',
  s: '0x0',
}
const scriptedReceipt = { cumulativeGasUsed: '0x0', gasUsed: '0x0', contractAddress: null, status: '0x1' } as const

/** The address of `account(n)` on a scripted chain. */
export const accountAddress = (n: number) => `0x${n.toString(16).padStart(40, '0')}`

/** Streams of a scripted chain that is followed step by step. */
export type ScriptedStreams = {
  db: Database
  chain: ScriptedChain
  demand: StreamDemand
  follower: Follower
  handler: BlockHandler
  worker: number
  /** Creates a stream of logs; `txs` adds transactions. The chain 0x5 is never followed. */
  create(options: {
    from?: bigint
    all?: boolean
    txs?: boolean
    confirmedOnly?: boolean
    filterPossibleSpam?: boolean
    chainIds?: string[]
  }): Promise<string>
  /** Holds back responses with transactions until `open`. */
  hold(): { requested: Promise<void>; open(): void }
  /** Matches the final blocks of all streams' histories. */
  history(): Promise<void>
  /** Steps until nothing changes and no stream is catching up. */
  settle(): Promise<void>
  states(): Promise<Record<string, string>>
  /** The first block for which a stream's last change is valid. Additions do not count. */
  lastChange(streamId: string): Promise<bigint>
  [Symbol.asyncDispose](): Promise<void>
}

const identity = {
  hasCode: true,
  standard: 'ERC721',
  name: 'A',
  symbol: 'A',
} as const
const never = new AbortController().signal

type ScriptedOptions = Partial<Pick<StreamDemandOptions, 'sendTest' | 'linkedHead'>> & {
  maxBytes?: number
  /** The account that sends a transaction for each log. If omitted, blocks show no transactions. */
  sender?: number
  /** Contracts that count as spam. */
  spam?: ReadonlySet<Address>
}

export async function openScriptedStreams(
  finality: number,
  {
    sendTest = async () => ({ ok: true }),
    linkedHead,
    maxBytes = 5_000_000,
    sender,
    spam = new Set(),
  }: ScriptedOptions = {},
): Promise<ScriptedStreams> {
  const database = await createTestDatabase()
  const { db } = database
  const chain = createScriptedChain(contract, finality)
  let opened: Promise<void> = Promise.resolve()
  let requested = () => {}
  const sent = ({ hash }: { hash: Hex }) =>
    chain.logs().flatMap((log) => (log.blockHash === hash ? [log.transactionHash] : []))
  const source: EvmSource = {
    ...chain.source,
    async transactions(header): Promise<RpcTransaction[]> {
      requested()
      await opened
      if (sender === undefined) return []
      return sent(header).map((hash) => ({ ...scriptedTransaction, hash, from: accountAddress(sender) as Hex }))
    },
    async receipts(header): Promise<RpcReceipt[]> {
      return sent(header).map((transactionHash) => ({ ...scriptedReceipt, transactionHash, blockHash: header.hash }))
    },
  }
  const evm = evmChain(['http://127.0.0.1:1'], { confirmations })
  const other = evmChain(['http://127.0.0.1:1'], { id: 5n, name: 'other' })
  const spamFilter: SpamFilter = async (_, addresses) => new Set(addresses.filter((address) => spam.has(address)))
  const tokens: TokenReader = {
    read: async () => new Map(),
    spamAmong: (addresses) => spamFilter(evm.id, addresses),
  }
  const [row] = await db.rows<[number]>(`INSERT INTO worker (host, pid) VALUES ('test', 1) RETURNING id`)
  const worker = row![0]
  await db.run(
    `INSERT INTO lease (kind, key, worker_id) SELECT 'chain', $1::bigint, $2::int UNION ALL
     SELECT 'partition', n, $2 FROM generate_series(0, 255) n`,
    [evm.id, worker],
  )
  await insertChain(db, evm.id, (await source.identity()).genesisHash, 0n, 0n)
  await insertChain(db, other.id, `0x${'05'.repeat(32)}`, 0n, 0n)
  const contracts = { identify: async () => identity, hasToken: async () => false } as never
  const common = { chain: evm, source, db, log: noopLog }
  const handler = await followStreams({ ...common, spamFilter, maxBytes, contracts })
  const follower = createFollower({ ...common, handler, worker: () => worker, metrics: createMetrics() })
  const demand = createStreamDemand({
    db,
    chains: [evm, other],
    head: async () => chain.head(),
    ...(linkedHead && { linkedHead }),
    sendTest,
    secretOverlapMs: 0,
  })

  async function states(): Promise<Record<string, string>> {
    return Object.fromEntries(await db.rows<[string, string]>('SELECT stream_id::text, state FROM stream_chain'))
  }

  /** Streams that wait for an address to match are skipped. */
  async function joining(): Promise<bigint> {
    const [row] = await db.rows<[bigint]>(
      `SELECT count(*) FROM stream_chain s JOIN stream t ON t.partition = s.partition AND t.id = s.stream_id WHERE s.chain_id = $1 AND s.state = 'history'
       AND (NOT s.waiting OR t.addresses > 0 OR (t.definition ->> 'allAddresses')::boolean)`,
      [evm.id],
    )
    return row![0]
  }

  async function history(): Promise<void> {
    const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))
    const served = { chains: [evm.id], partitions, lent: new Map() }
    const options = {
      ...{ db, tokens, worker: () => worker, maxAhead: 1_000_000, maxBytes, log: noopLog },
      workPriority: createWorkPriority(),
    }
    const open = { chain: evm, source, contracts, close: async () => undefined }
    const read = (readSlice: typeof historySlice, pending: PendingHistory) =>
      readSlice(options, open, pending, { isOver: () => false, signal: never }).catch((error: unknown) => {
        if (!(error instanceof HistoryLostError)) throw error
      })
    for (const pending of await readPendingHistory(db, served)) await read(historySlice, pending)
    for (const pending of await readPendingAdditions(db, served)) await read(additionSlice, pending)
  }

  return {
    db,
    chain,
    demand,
    follower,
    handler,
    worker,
    states,
    async lastChange(streamId) {
      const [last] = await db.rows<[bigint]>(
        'SELECT effective[1] FROM stream_change WHERE stream_id = $1 ORDER BY seq DESC LIMIT 1',
        [streamId],
      )
      return last![0]
    },
    history,
    async create({
      from,
      all = false,
      txs = false,
      confirmedOnly = false,
      filterPossibleSpam = false,
      chainIds = ['0x7a69'],
    }) {
      const body = createStreamSchema.parse({
        webhookUrl: 'http://127.0.0.1:1/',
        description: 'of a test',
        tag: 'test',
        chainIds,
        allAddresses: all,
        includeContractLogs: true,
        includeNativeTxs: txs,
        confirmedOnly,
        filterPossibleSpam,
        ...(all && {
          topic0: ['Transfer(address,address,uint256)'],
          abi: [
            {
              type: 'event',
              name: 'Transfer',
              inputs: ['from', 'to', 'id'].map((name, i) => ({
                name,
                type: i < 2 ? 'address' : 'uint256',
                indexed: true,
              })),
            },
          ],
        }),
        ...(from !== undefined && { fromBlocks: { '0x7a69': String(from) } }),
      })
      return (await demand.create(body)).id
    },
    hold() {
      const gate = Promise.withResolvers<void>()
      const first = Promise.withResolvers<void>()
      opened = gate.promise
      requested = first.resolve
      return { requested: first.promise, open: gate.resolve }
    },
    async settle() {
      for (let steps = 0; steps < 1_000; steps++) {
        await history()
        const idle = (await follower.step(never)) === 'idle'
        if (idle && (await joining()) === 0n) return
      }
      throw new Error('the follower does not come to rest')
    },
    async [Symbol.asyncDispose]() {
      await handler.close?.()
      await database.drop()
    },
  }
}

/**
 * The blocks that a receiver knows if it takes all webhooks in order: by either kind of webhook, and those that are confirmed.
 * Throws if a webhook is wrong in that order. A block of history may have only the confirmed webhook.
 */
export async function receivedBlocks(
  db: Database,
  streamId: string,
): Promise<{ reported: string[]; confirmed: string[] }> {
  const rows = await db.rows<[WebhookKind, bigint, string, string, bigint, number]>(
    `SELECT kind, block_number, encode(block_hash, 'hex'), id::text, chain_id, flips FROM webhook WHERE stream_id = $1
     ORDER BY position`,
    [streamId],
  )
  type Block = { number: bigint; hash: string }
  const reported: Block[] = []
  const confirmed: Block[] = []
  const ids = new Set<string>()
  const add = (list: Block[], block: Block, kind: string) => {
    const last = list.at(-1)
    if (last && last.number >= block.number) throw new Error(`${kind} of ${block.number} after ${last.number}`)
    list.push(block)
  }
  for (const [kind, number, hash, id, chainId, flips] of rows) {
    if (ids.has(id)) throw new Error(`${id} came twice`)
    ids.add(id)
    // Webhooks of additions arrive when their blocks are read, so out of order.
    if (id !== webhookId({ streamId, chainId, blockHash: `0x${hash}`, kind, flips, part: 1 })) continue
    if (kind === 'retraction') {
      if (reported.at(-1)?.hash !== hash) throw new Error(`retraction of ${number}, which is not the last`)
      reported.pop()
      if (confirmed.at(-1)?.hash === hash) confirmed.pop()
      continue
    }
    if (kind === 'confirmed') add(confirmed, { number, hash }, kind)
    if (kind === 'unconfirmed' || !reported.some((block) => block.hash === hash)) add(reported, { number, hash }, kind)
  }
  return { reported: reported.map((block) => block.hash), confirmed: confirmed.map((block) => block.hash) }
}
