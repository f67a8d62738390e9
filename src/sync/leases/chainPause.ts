import type { Sql } from '../../db/database.ts'

/** Nothing is read of the chain from now on; processes obey with their next heartbeat. False: it was paused before. */
export async function pauseChain(sql: Sql, chainId: bigint): Promise<boolean> {
  return (await sql.run('INSERT INTO chain_pause (chain_id) VALUES ($1) ON CONFLICT DO NOTHING', [chainId])) > 0
}

/** Reading goes on where it stopped. False: it was not paused. */
export async function resumeChain(sql: Sql, chainId: bigint): Promise<boolean> {
  return (await sql.run('DELETE FROM chain_pause WHERE chain_id = $1', [chainId])) > 0
}

export async function readPausedChains(sql: Sql): Promise<ReadonlySet<bigint>> {
  const rows = await sql.rows<[bigint]>('SELECT chain_id FROM chain_pause')
  return new Set(rows.map(([id]) => id))
}
