import type { Sql } from '../db/database.ts'
import { type ChainOverview, isListed, readChainOverview } from './chainOverview.ts'

/** A chain with the number of its collections and streams. */
export type ListedChain = ChainOverview & { collections: bigint; streams: bigint }

/** The chains in lists (`isListed`) and those in `ids`, ordered by id. */
export async function listChains(sql: Sql, ids: readonly bigint[] = []): Promise<ListedChain[]> {
  const chains = (await readChainOverview(sql, ids)).filter((chain) => isListed(chain) || ids.includes(chain.id))
  const collections = new Map(
    await sql.rows<[bigint, bigint]>(
      `SELECT chain_id, count(*) FROM collection WHERE status <> 'known' GROUP BY chain_id`,
    ),
  )
  const streams = new Map(
    await sql.rows<[bigint, bigint]>('SELECT c.id, count(*) FROM stream, unnest(chain_ids) AS c (id) GROUP BY c.id'),
  )
  return chains.map((chain) => ({
    ...chain,
    collections: collections.get(chain.id) ?? 0n,
    streams: streams.get(chain.id) ?? 0n,
  }))
}
