import { createDatabase } from '../src/db/database.ts'
import { tokenHashSql } from '../src/nft/transfers/tokenHash.ts'
import { partitionSql } from '../src/sync/partition.ts'
import { noopLog } from '../src/util/log.ts'
import { benchChain } from './measuredService.ts'
import { addressOf, addressSql, record } from './seedWallets.ts'
import type { SocketConnection } from './temporaryPostgres.ts'

/** Wallets over all contracts of a chain. Each has two or three tokens in each of 40 known contracts, 100 in all. */
const shape = { wallets: 900, contracts: 4_000, each: 40 }

/** Fills the tables as the history of these wallets does once pages have shown all of their tokens. Returns the addresses. */
export async function seedKnownWallets(connection: SocketConnection): Promise<string[]> {
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  const chain = BigInt(benchChain.id)
  const [position, seconds] = ['14939840::int8 << 20', '1700000000']
  await db.transaction((tx) =>
    tx.script(
      `SET LOCAL enable_seqscan = on;
       INSERT INTO collection (partition, chain_id, address, status, standard, name, symbol, checked_at, assessed_at)
       SELECT ${partitionSql(String(chain), 'a.address')}, ${chain}, a.address, 'known', 'ERC721', 'Known ' || n, 'K' || n, now(), now()
       FROM generate_series(0, ${shape.contracts - 1}) n CROSS JOIN LATERAL (SELECT ${addressSql('dd', 'n')} AS address) a;
       INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since, from_block, to_block, coverage)
       SELECT ${partitionSql(String(chain), 'a.address')}, ${chain}, a.address, 0, 'live', now(), 0, 0, '{[0,0]}'
       FROM generate_series(0, ${shape.wallets - 1}) n CROSS JOIN LATERAL (SELECT ${addressSql('bb', 'n')} AS address) a;
       CREATE TEMP TABLE bench_held ON COMMIT DROP AS
       SELECT w.partition, w.id AS wallet_id, w.address, k.contract, t.token_id, ${tokenHashSql('k.contract', 't.token_id')} AS token_hash
       FROM generate_series(0, ${shape.wallets - 1}) n
         JOIN wallet w ON w.address = ${addressSql('bb', 'n')}
         CROSS JOIN generate_series(0, ${shape.each - 1}) j
         CROSS JOIN LATERAL (SELECT ${addressSql('dd', `(7 * n + ${shape.contracts / shape.each} * j) % ${shape.contracts}`)} AS contract) k
         CROSS JOIN LATERAL (SELECT (3 * n + i)::numeric AS token_id FROM generate_series(0, 1 + j % 2) i) t;
       INSERT INTO wallet_holding (partition, wallet_id, contract, token_hash, token_id, erc1155, amount, last_position, first_position,
         minted_position, minter, received_position, received_time)
       SELECT partition, wallet_id, contract, token_hash, token_id, false, 1, ${position}, ${position}, ${position}, address, ${position}, ${seconds}
       FROM bench_held;
       INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, tried_at, record)
       SELECT c.partition, c.id, h.token_hash, 'ok', 0, now(), '${record}' FROM bench_held h JOIN collection c ON c.address = h.contract`,
    ),
  )
  for (const table of ['collection', 'wallet', 'wallet_holding', 'token_metadata'])
    await db.run(`VACUUM ANALYZE ${table}`)
  await db.close()
  return Array.from({ length: shape.wallets }, (_, i) => addressOf('bb', i))
}
