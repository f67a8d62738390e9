import type { Mark } from '../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../chain/evm/source/source.ts'
import type { Sql } from '../db/database.ts'
import { isNodeUnreachable } from '../db/databaseError.ts'
import { bufferToHex, hexToBuffer } from '../util/hex.ts'
import type { ChainRow } from './chainStore.ts'

/** Blocks that every node of a chain must have: its genesis, block 1, and final blocks at increasing distances. */
export async function readMarks(sql: Sql, chainId: bigint, row: ChainRow): Promise<Mark[]> {
  const rows = await sql.rows<[bigint, Buffer]>(
    'SELECT number, hash FROM chain_mark WHERE chain_id = $1 ORDER BY number',
    [chainId],
  )
  const marks = rows.map(([number, hash]) => ({ number, hash: bufferToHex(hash) }))
  return [{ number: 0n, hash: row.genesisHash }, ...marks]
}

/**
 * Adds marks as the chain grows, and returns the new ones. Block 1 is a mark: its hash differs on a recreated chain with the same genesis. The final
 * block becomes one once its number is twice that of the last mark. Requires a source whose nodes have all of `known`.
 */
export async function addMarks(
  sql: Sql,
  chainId: bigint,
  options: { known: readonly Mark[]; finalized: bigint; source: Pick<EvmSource, 'headers'>; signal: AbortSignal },
): Promise<Mark[]> {
  const { known, finalized, source, signal } = options
  const last = known.at(-1)!.number
  const wanted = new Set([...(last < 1n && finalized >= 1n ? [1n] : []), ...(finalized > 2n * last ? [finalized] : [])])
  // A node without old headers is usable anyway, with one mark less.
  const read = (number: bigint) => source.headers(number, number, signal).catch(() => [])
  const headers = await Promise.all([...wanted].map(read))
  const marks = headers.flat().map(({ number, hash }) => ({ number, hash }))
  if (marks.length === 0) return []
  const insert = sql.run(
    `INSERT INTO chain_mark (chain_id, number, hash) SELECT $1, * FROM unnest($2::bigint[], $3::bytea[])
     ON CONFLICT DO NOTHING`,
    [chainId, marks.map(({ number }) => number), marks.map(({ hash }) => hexToBuffer(hash))],
  )
  // On a cluster a mark is on every node. While one is unreachable there is one mark less, and the chain can be read anyway.
  return insert.then(
    () => marks,
    (error: unknown) => {
      if (isNodeUnreachable(error)) return []
      throw error
    },
  )
}
