import type { Sql } from '../db/database.ts'
import { isHeld } from './leases/livingWorkers.ts'

/** A chain as people name it. */
export type NamedChain = {
  id: bigint
  /** What it is shown by. */
  name: string
  /** Whatever else is taken for it, lower case; `name` among them. */
  names: readonly string[]
}

/** Keeps what a server calls its chains. A name that was another chain's before is this one's from now on. */
export async function writeChainNames(sql: Sql, chains: readonly Pick<NamedChain, 'id' | 'names'>[]): Promise<void> {
  const rows = chains.flatMap(({ id, names }) => names.map((name) => ({ id, name })))
  await sql.run(
    `INSERT INTO chain_name (name, chain_id) SELECT * FROM unnest($1::text[], $2::bigint[]) AS v (name, id) ORDER BY name
     ON CONFLICT (name) DO UPDATE SET chain_id = excluded.chain_id, told_at = now()`,
    [rows.map(({ name }) => name), rows.map(({ id }) => id)],
  )
}

/** Forgets what a chain was called that no running process is configured for any more. */
export async function forgetChainNames(sql: Sql, chainId: bigint): Promise<void> {
  await sql.run(`DELETE FROM chain_name WHERE chain_id = $1 AND NOT ${isHeld('chain', '$1')}`, [chainId])
}

/** The chains that servers on this database were configured for; one that no server told the name of is shown by its id in hex. */
export async function readNamedChains(sql: Sql): Promise<NamedChain[]> {
  const rows = await sql.rows<[bigint, string[]]>(
    `SELECT k.id, ARRAY(SELECT n.name FROM chain_name n WHERE n.chain_id = k.id ORDER BY n.told_at DESC, n.name)
     FROM (SELECT id FROM chain UNION SELECT key FROM lease WHERE kind = 'chain' UNION SELECT chain_id FROM chain_name) k (id)
     ORDER BY k.id`,
  )
  return rows.map(([id, names]) => ({ id, name: names[0] ?? `0x${id.toString(16)}`, names }))
}
