import type { RpcLog } from '../src/chain/evm/rpc/rpc.ts'
import { createDatabase, type Database } from '../src/db/database.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { storeTransfers } from '../src/nft/store/storeTransfers.ts'
import { decodeTransfers, type Standard } from '../src/nft/transfers/decodeTransfers.ts'
import { type CollectionKey, historyGroup } from '../src/nft/transfers/transferGroup.ts'
import { buildWallets } from '../src/nft/wallets/buildWallets.ts'
import { updateWallets } from '../src/nft/wallets/updateWallets.ts'
import { nextBuilds, nextUpdates } from '../src/nft/wallets/walletUpdates.ts'
import { writeTransfers } from '../src/nft/wallets/writeTransfers.ts'
import { partitionOf } from '../src/sync/partition.ts'
import type { Address } from '../src/util/hex.ts'
import { noopLog } from '../src/util/log.ts'
import { type Figure, medians, type Row } from './figure.ts'
import { type ChainShape, createSyntheticLogs } from './syntheticLogs.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

/** Logs of one read of history. */
const logsPerRead = 8_000

/** Limits of a time slice as in src/nft/wallets/indexWallets.ts: transfers a connection, connections, and transfers when it builds tokens. */
const round = 25_000
const parallel = 2
const buildSlice = 100_000

const owned: ChainShape = { seed: 1, logs: 500_000, blocks: 500_000, mintShare: 0.6, holders: 20_000 }
const summed: ChainShape = { seed: 2, logs: 200_000, blocks: 200_000, mintShare: 0.3, holders: 5_000, ids: 10_000 }

/** Measures how fast the tables of wallets catch up with stored transfers while nothing else runs. */
export const walletIndex: Figure = {
  name: 'wallet-index',
  title: 'The wallet tables process 500,000 transfers of an ERC-721 and 200,000 of an ERC-1155',
  run: () =>
    medians(3, async () => {
      const postgres = await startTemporaryPostgres()
      const db = createDatabase({ connection: postgres.connection, poolSize: 2, log: noopLog })
      await migrate(db, noopLog)
      await db.run(`INSERT INTO worker (host, pid) VALUES ('bench', 1)`)
      await db.run(`INSERT INTO lease (kind, key, worker_id) SELECT 'partition', n, 1 FROM generate_series(0, 255) n`)
      const rows: Row[] = []
      for (const [standard, shape] of [
        ['ERC721', owned],
        ['ERC1155', summed],
      ] as const) {
        await storeAll(db, standard, shape)
        const before = await walletBytes(db)
        const rate = shape.logs / (await secondsOf(() => catchUp(db)))
        const bytes = ((await walletBytes(db)) - before) / shape.logs
        rows.push({ what: `${standard}, processed`, value: rate, unit: 'transfers/s', goal: { atLeast: 40_000 } })
        rows.push({ what: `${standard}, on disk`, value: bytes, unit: 'B a transfer' })
      }
      await db.close()
      await postgres.stop()
      return rows
    }),
}

async function storeAll(db: Database, standard: Standard, shape: ChainShape): Promise<void> {
  const { address, text } = createSyntheticLogs(shape)
  const [chainId, contract] = [1n, address as Address]
  const partition = partitionOf(chainId, contract)
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block, transfers)
     VALUES ($1, $2, $3, 'live', $4, 0, $5) RETURNING id`,
    [partition, chainId, Buffer.from(contract.slice(2), 'hex'), standard, BigInt(shape.logs)],
  )
  const key: CollectionKey = { partition, id: row![0], chainId, address: contract, standard, idInData: false }
  for (let first = 0; first < shape.logs; first += logsPerRead) {
    const part = text(first, Math.min(first + logsPerRead, shape.logs)).toString('latin1')
    const transfers = [...decodeTransfers(JSON.parse(`[${part}]`) as RpcLog[], key)]
    await db.transaction((tx) => storeTransfers(tx, [historyGroup(key, transfers)]))
  }
}

async function catchUp(db: Database): Promise<void> {
  const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))
  for (;;) {
    const updates = await nextUpdates(db, { atHead: false, partitions, except: [], most: round * parallel })
    if (updates.length === 0) break
    await (updates[0]!.tokensLater ? writeTransfers : updateWallets)(db, updates, 1, parallel)
  }
  for (const build of await nextBuilds(db, { partitions, except: [], most: buildSlice })) {
    const parts = Math.ceil(build.transfers / buildSlice)
    for (let part = 0; part < parts; part++) await buildWallets(db, [build], 1, { part, parts })
  }
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}

async function walletBytes(db: Database): Promise<number> {
  const [row] = await db.rows<[bigint]>(
    `SELECT sum(pg_total_relation_size(t::regclass))::int8
     FROM unnest('{wallet_token,wallet_collection,wallet_transfer,owner_count}'::text[]) t`,
  )
  return Number(row![0])
}
