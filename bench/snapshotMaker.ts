import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createDatabase } from '../src/db/database.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { createNftQuery } from '../src/nft/pages/createNftQuery.ts'
import { openFiles } from '../src/service/openFiles.ts'
import { partitionOf } from '../src/sync/partition.ts'
import { noopLog } from '../src/util/log.ts'
import { answer, childInput } from './child.ts'

export type SnapshotMakerInput = { databaseUrl: string; transfers: number }

const { databaseUrl, transfers } = childInput<SnapshotMakerInput>()
const address = `0x${'5a'.repeat(20)}` as const
const hash = `0x${'11'.repeat(32)}` as const
const half = BigInt(transfers / 2)

const db = createDatabase({ connection: { connectionString: databaseUrl }, poolSize: 4, log: noopLog })
await migrate(db, noopLog)
await db.run(
  `INSERT INTO chain (id, genesis_hash, block_number, block_hash, head_number, finalized_number) VALUES (1, '\\x00', $1, '\\x00', $1, $1)`,
  [BigInt(transfers)],
)
const [row] = await db.rows<[bigint]>(
  `INSERT INTO collection (partition, chain_id, address, status, standard, from_block) VALUES ($1, 1, $2, 'live', 'ERC721', 1) RETURNING id`,
  [partitionOf(1n, address), Buffer.from(address.slice(2), 'hex')],
)
// The first half mints every token, each in its own block; the second half moves them.
await db.run(
  `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
   SELECT $1, $2, n * 1048576, 0, n % $3::int8, decode(lpad(to_hex(n), 40, '0'), 'hex'), decode(md5(n::text) || 'abababab', 'hex'), 1, '\\x00', $5::bytea
   FROM generate_series(1, $4::int8) n`,
  [partitionOf(1n, address), row![0], half, BigInt(transfers), Buffer.from(hash.slice(2), 'hex')],
)
await db.run('VACUUM ANALYZE transfer')
const query = createNftQuery({ db })
answer('ready')

process.on('message', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-snapshot-'))
  const stopping = new AbortController()
  const files = openFiles({
    config: { dataDir, files: { maxStoredBytes: 1e9, atOnce: 2 } },
    ...{
      db,
      background: db,
      query,
      transfers: undefined as never,
      onError: () => undefined,
      log: noopLog,
      signal: stopping.signal,
    },
  })
  const state = (await query.state(1n, address))!
  const held = monitorEventLoopDelay({ resolution: 1 })
  held.enable()
  const startedAt = performance.now()
  const file = await files.snapshot({
    ...{ chainId: 1n, address, state, format: 'csv', keyId: 0n },
    block: { number: half, hash },
  })
  const seconds = (performance.now() - startedAt) / 1_000
  held.disable()
  if (file?.facts.holders !== Number(half)) throw new Error(`${file?.facts.holders} holders`)
  file.discard()
  stopping.abort()
  await files.close()
  rmSync(dataDir, { recursive: true })
  answer({ seconds, longestHoldMs: held.max / 1e6 })
})
