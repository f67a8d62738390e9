import { createDatabase } from '../src/db/database.ts'
import { tokenFacts } from '../src/nft/transfers/tokenFacts.ts'
import { partitionSql } from '../src/sync/partition.ts'
import { noopLog } from '../src/util/log.ts'
import { benchChain } from './measuredService.ts'
import type { SocketConnection } from './temporaryPostgres.ts'

/** `tokens` are those of each collection: a tenth belong to the marketplace. Every other wallet has ten tokens in each of ten collections. */
export const walletsShape = { collections: 1_000, tokens: 10_000, wallets: 900 }

/** The wallet with a tenth of all tokens. */
export const marketplace = `0x${'ee'.repeat(20)}`

/** The address of a contract or of a wallet, by its number. The first two digits show the kind. */
export const addressSql = (kind: string, number: string) =>
  `decode('${kind}' || lpad(to_hex(${number}), 38, '0'), 'hex')`
export const addressOf = (kind: string, number: number) => `0x${kind}${number.toString(16).padStart(38, '0')}`

/** The record of a token whose metadata was read. */
export const record =
  '"token_uri":"ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq/1","metadata":null,"last_token_uri_sync":"2026-01-31T12:00:00.000Z","last_metadata_sync":"2026-01-31T12:00:01.000Z"'

/**
 * Fills the tables as indexing leaves them. Nine collections in ten are spam. All requested tokens have a row of metadata: those of the
 * measured wallets, and those of the marketplace in the last third of the collections. The server makes the rows itself in key order, and
 * builds an index after all rows.
 */
export async function seedWallets(connection: SocketConnection): Promise<{ wallets: string[]; contracts: string[] }> {
  const { collections, tokens, wallets } = walletsShape
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  const chain = BigInt(benchChain.id)
  // Token n of collection c belongs to the marketplace or to the wallet c / 10 + groups × (n mod residues).
  const groups = collections / 10
  const residues = tokens / 10
  const ofMarket = 'n % 10 = 9'
  const market = `'\\x${marketplace.slice(2)}'::bytea`
  const hash = 'md5(c.prefix || n)::uuid'
  const [lastPosition, firstPosition] = ['14939840::int8 << 20', '12287507::int8 << 20']
  const minter = addressSql('aa', 'n')
  const facts = `(SELECT ${tokenFacts} FROM (
    SELECT ${lastPosition} AS last_position, ${firstPosition} AS first_position, NULL::int8 AS minted_position, ${minter} AS minter, n::numeric AS token_id, 1::numeric AS amount
  ) t)`

  await db.transaction(async (tx) => {
    await tx.script(
      `INSERT INTO collection (partition, chain_id, address, status, standard, name, symbol, from_block, to_block, tokens, possible_spam, assessed_at, live_since)
       SELECT ${partitionSql(String(chain), 'a.address')}, ${chain}, a.address, 'live', 'ERC721', 'Collection ' || n, 'C' || n, 1, 1, ${tokens}, n % 10 <> 0, now(), now()
       FROM generate_series(1, ${collections}) n CROSS JOIN LATERAL (SELECT ${addressSql('cc', 'n')} AS address) a ORDER BY n;
       CREATE UNLOGGED TABLE bench_collection AS
       SELECT substr(name, 12)::int - 1 AS number, partition, id, '0x' || encode(address, 'hex') AS prefix
       FROM collection WHERE name LIKE 'Collection %';
       CREATE INDEX ON bench_collection (number);
       CREATE UNLOGGED TABLE bench_wallet AS
       SELECT a.wallet, ${partitionSql(String(chain), 'a.wallet')} AS partition, 10 * g AS first, r AS residue
       FROM generate_series(0, ${groups - 1}) g CROSS JOIN generate_series(0, ${residues - 1}) r
         CROSS JOIN LATERAL (SELECT ${addressSql('aa', `g + ${groups} * r`)} AS wallet) a
       WHERE r % 10 <> 9 ORDER BY 2, 1;
       ANALYZE bench_collection; ANALYZE bench_wallet`,
    )
  })
  await fill(
    'token',
    `(partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, amount, holders)
     SELECT c.partition, c.id, t.*, ${lastPosition}, ${firstPosition}, 1, 1
     FROM (SELECT * FROM bench_collection ORDER BY partition, id) c CROSS JOIN LATERAL (
       SELECT ${hash}, n, CASE WHEN ${ofMarket} THEN ${market} ELSE ${addressSql('aa', `c.number / 10 + ${groups} * (n % ${residues})`)} END,
         ${minter}
       FROM generate_series(0, ${tokens - 1}) n ORDER BY 1
     ) t`,
  )
  await fill(
    'wallet_token',
    `(partition, chain_id, wallet, collection_id, token_hash, facts, amount)
     SELECT w.partition, ${chain}, w.wallet, t.*, 1 FROM bench_wallet w CROSS JOIN LATERAL (
       SELECT c.id, ${hash}, ${facts} FROM bench_collection c CROSS JOIN generate_series(w.residue, ${tokens - 1}, ${residues}) n
       WHERE c.number >= w.first AND c.number < w.first + 10 ORDER BY 1, 2
     ) t
     UNION ALL
     SELECT ${partitionSql(String(chain), market)}, ${chain}, ${market}, t.*, 1 FROM (
       SELECT c.id, ${hash}, ${facts} FROM bench_collection c CROSS JOIN generate_series(9, ${tokens - 1}, 10) n ORDER BY 1, 2
     ) t`,
  )
  await fill(
    'wallet_collection',
    `(partition, chain_id, wallet, collection_id, collection_partition, tokens)
     SELECT w.partition, ${chain}, w.wallet, c.id, c.partition, 10
     FROM bench_wallet w CROSS JOIN bench_collection c WHERE c.number >= w.first AND c.number < w.first + 10
     UNION ALL
     SELECT ${partitionSql(String(chain), market)}, ${chain}, ${market}, c.id, c.partition, ${residues} FROM bench_collection c`,
  )
  const requested = Array.from({ length: wallets }, (_, i) => (i % groups) + groups * 10 * Math.floor(i / groups))
  const requestedResidues = [...new Set(requested.map((number) => Math.floor(number / groups)))]
  await fill(
    'token_metadata',
    `(partition, collection_id, token_hash, state, attempts, tried_at, record)
     SELECT c.partition, c.id, t.hash, 'ok', 0, now(), '${record}'
     FROM (SELECT * FROM bench_collection ORDER BY partition, id) c CROSS JOIN LATERAL (
       SELECT ${hash} AS hash FROM generate_series(0, ${tokens - 1}) n
       WHERE n % ${residues} IN (${requestedResidues.join()}) OR (${ofMarket} AND c.number >= ${Math.ceil((2 * collections) / 3)}) ORDER BY 1
     ) t`,
  )
  await db.run('DROP TABLE bench_collection')
  await db.run('DROP TABLE bench_wallet')
  await db.run('VACUUM ANALYZE collection')
  await db.close()
  return {
    wallets: requested.map((number) => addressOf('aa', number)),
    contracts: Array.from({ length: 9 }, (_, i) => addressOf('cc', collections - 10 * i)),
  }

  /** Inserts rows into a table without its primary key, which is added afterwards. Updating the index row by row would take most of the time. */
  async function fill(table: string, rows: string): Promise<void> {
    const [key] = await db.rows<[name: string, definition: string]>(
      `SELECT conname::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = '${table}'::regclass AND contype = 'p'`,
    )
    const [name, definition] = key!
    await db.transaction((tx) =>
      tx.script(
        `SET LOCAL synchronous_commit = off; SET LOCAL work_mem = '64MB'; SET LOCAL maintenance_work_mem = '512MB'; SET LOCAL enable_seqscan = on;
         ALTER TABLE ${table} DROP CONSTRAINT ${name};
         INSERT INTO ${table} ${rows};
         ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`,
      ),
    )
    await db.run(`VACUUM ANALYZE ${table}`)
  }
}
