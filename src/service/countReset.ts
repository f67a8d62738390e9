import type { Sql } from '../db/database.ts'
import type { ChainReset } from './resetChain.ts'

/** What a reset of a chain would queue and restart. */
export async function countReset(sql: Sql, chainId: bigint): Promise<ChainReset> {
  const [[collections, wallets, streams] = [0n, 0n, 0n]] = await sql.rows<[bigint, bigint, bigint]>(
    `SELECT (SELECT count(*) FROM collection WHERE chain_id = $1 AND status NOT IN ('nocode', 'known')),
       (SELECT count(*) FROM wallet WHERE chain_id = $1 AND status <> 'removed'),
       (SELECT count(*) FROM stream_chain WHERE chain_id = $1)`,
    [chainId],
  )
  return { collections: Number(collections), wallets: Number(wallets), streams: Number(streams) }
}
