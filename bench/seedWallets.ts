import { createDatabase } from '../src/db/database.ts'
import { silentLog } from '../src/log.ts'
import { partitionSql } from '../src/sync/partition.ts'
import { benchChain } from './measuredService.ts'
import type { SocketConnection } from './temporaryPostgres.ts'

/** Collections, and tokens in each; one token in ten belongs to the marketplace, ten in ten collections each to every other wallet. */
export const walletsShape = { collections: 1_000, tokens: 10_000, wallets: 900 }

/** The wallet with a tenth of all tokens. */
export const marketplace = `0x${'ee'.repeat(20)}`

/** An address of a contract or of a wallet, by its number: the first two digits tell which of them. */
const addressSql = (kind: string, number: string) => `decode('${kind}' || lpad(to_hex(${number}), 38, '0'), 'hex')`
const addressOf = (kind: string, number: number) => `0x${kind}${number.toString(16).padStart(38, '0')}`

const record =
  '"token_uri":"ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq/1","metadata":null,"last_token_uri_sync":"2026-01-31T12:00:00.000Z","last_metadata_sync":"2026-01-31T12:00:01.000Z"'

/**
 * Fills the tables as indexing leaves them. Nine collections in ten are spam. All tokens whose records are asked for have a row of metadata:
 * those of the wallets that are answered, and those of the marketplace in the last third of the collections.
 */
export async function seedWallets(connection: SocketConnection): Promise<{ wallets: string[]; contracts: string[] }> {
  const { collections, tokens, wallets } = walletsShape
  const db = createDatabase({ connection, poolSize: 1, log: silentLog })
  const chain = BigInt(benchChain.id)
  const run = (text: string) =>
    db.transaction((tx) => tx.script(`SET LOCAL synchronous_commit = off; SET LOCAL work_mem = '512MB'; ${text}`))
  await run(
    `INSERT INTO collection (partition, chain_id, address, status, standard, name, symbol, from_block, to_block, tokens, possible_spam, assessed_at, live_since)
     SELECT ${partitionSql(String(chain), 'a.address')}, ${chain}, a.address, 'live', 'ERC721', 'Collection ' || n, 'C' || n, 1, 1, ${tokens}, n % 10 <> 0, now(), now()
     FROM generate_series(1, ${collections}) n CROSS JOIN LATERAL (SELECT ${addressSql('cc', 'n')} AS address) a ORDER BY n`,
  )
  // Token n of collection c belongs to the marketplace or to the wallet (c / 10) + groups × (n mod 1000).
  const groups = collections / 10
  for (let first = 0; first < collections; first += 50) {
    const some = `SELECT * FROM (
      SELECT *, substr(name, 12)::int - 1 AS number FROM collection WHERE name LIKE 'Collection %'
    ) c WHERE c.number >= ${first} AND c.number < ${first + 50}`
    await run(
      `INSERT INTO token (partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, amount, holders)
       SELECT c.partition, c.id, md5('0x' || encode(c.address, 'hex') || n)::uuid, n, CASE WHEN n % 10 = 9
           THEN '\\x${marketplace.slice(2)}'::bytea ELSE ${addressSql('aa', `(c.number / 10 + ${groups} * (n % 1000))::int`)} END,
         ${addressSql('aa', 'n')}, 14939840::int8 << 20, 12287507::int8 << 20, 1, 1
       FROM (${some}) c, generate_series(0, ${tokens - 1}) n ORDER BY 1, 2, 3`,
    )
    await run(
      `INSERT INTO wallet_token (partition, chain_id, wallet, collection_id, token_hash, amount)
       SELECT w.partition, ${chain}, t.owner, t.collection_id, t.token_hash, 1
       FROM (${some}) c JOIN token t ON t.partition = c.partition AND t.collection_id = c.id JOIN (
         SELECT owner, ${partitionSql(String(chain), 'owner')} AS partition
         FROM (SELECT DISTINCT t.owner FROM (${some}) c JOIN token t ON t.partition = c.partition AND t.collection_id = c.id) o
       ) w ON w.owner = t.owner ORDER BY 1, 3, 4, 5`,
    )
  }
  await run(
    `INSERT INTO wallet_collection (partition, chain_id, wallet, collection_id, collection_partition, tokens)
     SELECT w.partition, w.chain_id, w.wallet, w.collection_id, c.partition, w.tokens
     FROM (SELECT partition, chain_id, wallet, collection_id, count(*) AS tokens FROM wallet_token GROUP BY 1, 2, 3, 4) w
     JOIN collection c ON c.id = w.collection_id AND c.name LIKE 'Collection %' ORDER BY 1, 3, 4`,
  )
  const asked = Array.from({ length: wallets }, (_, i) => (i % groups) + groups * 10 * Math.floor(i / groups))
  const owners = asked.map((number) => `'\\x${addressOf('aa', number).slice(2)}'::bytea`)
  await run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, tried_at, record)
     SELECT t.partition, t.collection_id, t.token_hash, 'ok', 0, now(), '${record}' FROM token t
     WHERE t.owner IN (${owners.join()})
       OR (t.owner = '\\x${marketplace.slice(2)}' AND t.collection_id > (SELECT max(id) - ${Math.floor(collections / 3)} FROM collection)) ORDER BY 1, 2, 3`,
  )
  for (const table of ['token', 'token_metadata', 'wallet_token', 'wallet_collection', 'collection'])
    await db.run(`VACUUM ANALYZE ${table}`)
  await db.close()
  return {
    wallets: asked.map((number) => addressOf('aa', number)),
    contracts: Array.from({ length: 9 }, (_, i) => addressOf('cc', collections - 10 * i)),
  }
}
