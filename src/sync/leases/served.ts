import type { Sql } from '../../db/database.ts'

/**
 * SQL of the worker that does work with nodes (history, metadata of tokens, history of streams) of a chain in a partition: the holder of the
 * partition or, if it is not configured for the chain, the holder of the chain. So exactly one worker does it, whichever chains workers are
 * configured for.
 */
const server = `CASE WHEN holder.takes IS NULL OR holder.takes->'chain' ? of_chain.key::text
  THEN of_partition.worker_id ELSE of_chain.worker_id END`

/** SQL condition: worker `$worker` does the work of a chain in a partition. Citus rejects it in an UPDATE. */
export function servedBy(partition: string, chain: string, worker: string): string {
  return `EXISTS (
    SELECT 1 FROM lease of_partition
      LEFT JOIN worker holder ON holder.id = of_partition.worker_id
      LEFT JOIN lease of_chain ON of_chain.kind = 'chain' AND of_chain.key = ${chain}
    WHERE of_partition.kind = 'partition' AND of_partition.key = ${partition} AND ${server} = ${worker})`
}

/**
 * Whether a worker currently does the work of a chain in a partition. The caller's transaction locks rows, so that an outdated answer is harmless.
 */
export async function isServedBy(
  tx: Sql,
  { partition, chainId }: { partition: number; chainId: bigint },
  worker: number,
): Promise<boolean> {
  const rows = await tx.rows(`SELECT WHERE ${servedBy('$1', '$2', '$3')}`, [partition, chainId, worker])
  return rows.length > 0
}

/** Partitions of others in which a worker does the work of a chain, by chain. */
export async function readLent(sql: Sql, worker: number): Promise<Map<bigint, ReadonlySet<bigint>>> {
  const rows = await sql.rows<[bigint, bigint]>(
    `SELECT of_chain.key, of_partition.key
     FROM lease of_chain, lease of_partition JOIN worker holder ON holder.id = of_partition.worker_id
     WHERE of_chain.kind = 'chain' AND of_chain.worker_id = $1
       AND of_partition.kind = 'partition' AND of_partition.worker_id <> $1 AND ${server} = $1`,
    [worker],
  )
  const byChain = Map.groupBy(rows, ([chain]) => chain)
  return new Map([...byChain].map(([chain, of]) => [chain, new Set(of.map(([, partition]) => partition))]))
}

/** Work with nodes of a process: that of its chains in its partitions, and that of a chain in the partitions `lent` to it. */
export type Served = {
  chains: readonly bigint[]
  partitions: readonly bigint[]
  lent: ReadonlyMap<bigint, ReadonlySet<bigint>>
}

/** SQL condition: a row of a partition and a chain is in `Served`; its parameters, $1 to $4, are `servedValues`. */
export function isServed(partition: string, chain: string): string {
  return `(${partition} = ANY($1::smallint[]) AND ${chain} = ANY($2::bigint[])
    OR (${chain}, ${partition}) IN (SELECT * FROM unnest($3::bigint[], $4::smallint[])))`
}

export function servedValues({ chains, partitions, lent }: Served): unknown[] {
  const pairs = [...lent].flatMap(([chain, of]) => [...of].map((partition) => ({ chain, partition })))
  return [partitions, chains, pairs.map(({ chain }) => chain), pairs.map(({ partition }) => partition)]
}
