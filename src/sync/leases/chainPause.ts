import type { Sql } from '../../db/database.ts'

/** Pauses a chain: from their next heartbeat on, processes read nothing of it. False: it was paused before. */
export async function pauseChain(sql: Sql, chainId: bigint): Promise<boolean> {
  return (await sql.run('INSERT INTO chain_pause (chain_id) VALUES ($1) ON CONFLICT DO NOTHING', [chainId])) > 0
}

/** Resumes a chain, which goes on where it stopped. False: it was not paused. */
export async function resumeChain(sql: Sql, chainId: bigint): Promise<boolean> {
  return (await sql.run('DELETE FROM chain_pause WHERE chain_id = $1', [chainId])) > 0
}

export async function readPausedChains(sql: Sql): Promise<ReadonlySet<bigint>> {
  const rows = await sql.rows<[bigint]>('SELECT chain_id FROM chain_pause')
  return new Set(rows.map(([id]) => id))
}
