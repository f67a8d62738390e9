import type { Sql } from '../db/database.ts'
import { quantity } from '../util/hex.ts'
import { isHeld } from './leases/livingWorkers.ts'

/** A chain with its names. */
export type NamedChain = {
  id: bigint
  /** The displayed name. */
  name: string
  /** Every accepted name, in lower case, including `name`. */
  names: readonly string[]
}

/**
 * Stores a server's names for its chains. A name of another chain is moved. Names after a chain's first one, which is displayed, get an earlier time.
 */
export async function writeChainNames(sql: Sql, chains: readonly Pick<NamedChain, 'id' | 'names'>[]): Promise<void> {
  const rows = chains.flatMap(({ id, names }) => names.map((name, place) => ({ id, name, isShown: place === 0 })))
  await sql.run(
    `INSERT INTO chain_name (name, chain_id, told_at)
     SELECT name, id, CASE WHEN is_shown THEN now() ELSE now() - interval '1 microsecond' END
     FROM unnest($1::text[], $2::bigint[], $3::boolean[]) AS v (name, id, is_shown) ORDER BY name
     ON CONFLICT (name) DO UPDATE SET chain_id = excluded.chain_id, told_at = excluded.told_at`,
    [rows.map(({ name }) => name), rows.map(({ id }) => id), rows.map(({ isShown }) => isShown)],
  )
}

/**
 * Deletes the names of a chain, unless a running process can follow it. A paused chain keeps its names, by which it is resumed. Returns their number.
 */
export const forgetChainNames = (sql: Sql, chainId: bigint): Promise<number> =>
  sql.run(
    `DELETE FROM chain_name WHERE chain_id = $1 AND NOT ${isHeld('chain', '$1')}
       AND NOT EXISTS (SELECT 1 FROM chain_pause WHERE chain_id = $1)`,
    [chainId],
  )

/** The chains that servers on this database were configured for. A chain without a name is shown by its hex id. */
export async function readNamedChains(sql: Sql): Promise<NamedChain[]> {
  const rows = await sql.rows<[bigint, string[]]>(
    `SELECT k.id, ARRAY(SELECT n.name FROM chain_name n WHERE n.chain_id = k.id ORDER BY n.told_at DESC, n.name)
     FROM (SELECT id FROM chain UNION SELECT key FROM lease WHERE kind = 'chain' UNION SELECT chain_id FROM chain_name) k (id)
     ORDER BY k.id`,
  )
  return rows.map(([id, names]) => ({ id, name: names[0] ?? quantity(id), names }))
}
