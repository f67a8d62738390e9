import { createDatabase, type Database } from '../src/db/database.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { bytesOf } from '../src/db/pipeline/byteRows.ts'
import type { AsOf } from '../src/nft/asOfQuery.ts'
import { createAsOfQuery } from '../src/nft/pages/createAsOfQuery.ts'
import { createNftQuery } from '../src/nft/pages/createNftQuery.ts'
import { partitionOf } from '../src/sync/partition.ts'
import type { Address } from '../src/util/hex.ts'
import { noopLog } from '../src/util/log.ts'
import { type Figure, medians } from './figure.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

const transfers = 500_000
const half = transfers / 2

type Seed = { address: Address; standard: 'ERC721' | 'ERC1155'; tokens: number }

/** Each collection has 500,000 transfers, one a block: first mints of all tokens, then moves of the tokens in turn. */
const seeds: Record<string, Seed> = {
  'ERC-721, 250,000 tokens': { address: `0x${'51'.repeat(20)}`, standard: 'ERC721', tokens: half },
  'ERC-721, 1,000 tokens minted by then of 499,000': {
    address: `0x${'52'.repeat(20)}`,
    standard: 'ERC721',
    tokens: 499_000,
  },
  'ERC-1155, 10,000 ids': { address: `0x${'53'.repeat(20)}`, standard: 'ERC1155', tokens: 10_000 },
  'ERC-1155, one id': { address: `0x${'54'.repeat(20)}`, standard: 'ERC1155', tokens: 1 },
}

const owner = (n: string) => `decode(lpad(to_hex((${n}) % 20000 + 1), 40, '0'), 'hex')`
const zero = `decode(repeat('00', 20), 'hex')`

async function seed(db: Database, { address, standard, tokens }: Seed): Promise<void> {
  const partition = partitionOf(1n, address)
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block) VALUES ($1, 1, $2, 'live', $3, 1) RETURNING id`,
    [partition, Buffer.from(address.slice(2), 'hex'), standard],
  )
  const values = [partition, row![0], tokens, transfers]
  await db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
     SELECT $1, $2, n * 1048576, 0, n % $3::int8, CASE WHEN n <= $3::int8 THEN ${zero} ELSE ${owner('n - $3::int8')} END, ${owner('n')},
       CASE WHEN n <= $3::int8 THEN 1000 ELSE 1 END, '\\x00', '\\x00' FROM generate_series(1, $4::int8) n`,
    values,
  )
  await db.run(
    `INSERT INTO token (partition, collection_id, token_hash, token_id, owner, last_position, first_position, amount, holders, transfers)
     SELECT $1, $2, md5('${address}' || token_id)::uuid, token_id, max(to_address), max(position), min(position), 1, 1, count(*)
     FROM transfer WHERE partition = $1 AND collection_id = $2 GROUP BY token_id`,
    values.slice(0, 2),
  )
}

/** Requests the first page at a block in the middle of the transfers. The process is connected and has cached no page yet. */
export const asOfPage: Figure = {
  name: 'as-of-page',
  title: `The first page of 100 records as of a block in the middle of ${transfers.toLocaleString('en')} transfers`,
  async run() {
    const postgres = await startTemporaryPostgres()
    const db = createDatabase({ connection: postgres.connection, poolSize: 4, log: noopLog })
    await migrate(db, noopLog)
    await db.run(
      `INSERT INTO chain (id, genesis_hash, block_number, block_hash, head_number, finalized_number) VALUES (1, '\\x00', $1, '\\x00', $1, $1)`,
      [BigInt(transfers)],
    )
    for (const one of Object.values(seeds)) await seed(db, one)
    await db.run('VACUUM ANALYZE transfer')
    await db.run('VACUUM ANALYZE token')
    const hash = `0x${'11'.repeat(32)}` as const
    const asOfQuery = createAsOfQuery({
      ...{ db, reader: { ...db, ...bytesOf(db) }, publicUrl: () => '', refreshAfterMs: null },
      blockHashes: { read: async () => hash },
    })
    const query = createNftQuery({ db })
    const rows = await medians(5, async () => {
      const measured = []
      for (const [what, { address, tokens }] of Object.entries(seeds)) {
        const state = (await query.state(1n, address))!
        const startedAt = performance.now()
        const block = BigInt(tokens > half ? 1_000 : half)
        const asOf = (await asOfQuery.find(state, block)) as AsOf
        const page = await asOfQuery.page({
          ...{ state, address, asOf, range: { from: null, to: null }, after: null, limit: 100, traits: null },
          ...{ hex: false, normalized: false, media: false },
        })
        const ms = performance.now() - startedAt
        if (page === 'moved' || page.count !== Math.min(100, tokens))
          throw new Error(`${what}: ${JSON.stringify(page)}`)
        page.records.toBuffer()
        measured.push({ what, value: ms, unit: 'ms', goal: { atMost: 1_000 } })
      }
      return measured
    })
    await db.close()
    await postgres.stop()
    return rows
  },
}
