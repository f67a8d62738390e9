import type { Header, Mark } from '../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../chain/evm/source/source.ts'
import { InconsistentResponseError } from '../chain/evm/source/sourceError.ts'
import type { Sql } from '../db/database.ts'
import { isNodeUnreachable } from '../db/databaseError.ts'
import { bufferToHex, type Hex, hexToBuffer } from '../util/hex.ts'
import type { ChainRow } from './chainStore.ts'

type MarkSource = { source: Pick<EvmSource, 'headers' | 'confirm'>; signal: AbortSignal }

/** Blocks that every node of a chain must have: its genesis, block 1, and final blocks at increasing distances. */
export async function readMarks(sql: Sql, chainId: bigint, row: ChainRow): Promise<Mark[]> {
  const rows = await sql.rows<[bigint, Buffer]>(
    'SELECT number, hash FROM chain_mark WHERE chain_id = $1 ORDER BY number',
    [chainId],
  )
  const marks = rows.map(([number, hash]) => ({ number, hash: bufferToHex(hash) }))
  return [{ number: 0n, hash: row.genesisHash }, ...marks]
}

/** How long nodes may disagree about block 0 until the first one counts: then it is not a fault that passes, but the configuration. */
const disputeMs = 30_000

/**
 * A function that confirms block 0 of a new chain by a second answer, as it is stored for ever. Throws InconsistentResponseError while nodes disagree,
 * for at most `disputeMs`.
 */
export function createGenesisCheck(): (chainId: bigint, hash: Hex, of: MarkSource) => Promise<void> {
  /** By chain: when the present disagreement was first seen, on the clock of performance.now(). */
  const disputed = new Map<bigint, number>()
  return async (chainId, hash, { source, signal }) => {
    try {
      const [genesis] = await source.headers(0n, 0n, signal)
      if (!genesis) return
      const { timestamp } = genesis
      await source.confirm({ number: 0n, hash, timestamp }, signal)
      disputed.delete(chainId)
    } catch (error) {
      if (!(error instanceof InconsistentResponseError)) throw error
      const since = disputed.get(chainId) ?? performance.now()
      disputed.set(chainId, since)
      if (performance.now() - since < disputeMs) throw error
    }
  }
}

/**
 * Adds marks as the chain grows, and returns the new ones. Block 1 is a mark: its hash differs on a recreated chain with the same genesis. The final
 * block becomes one once its number is twice that of the last mark. A second answer confirms each. Requires a source whose nodes have all of `known`.
 */
export async function addMarks(
  sql: Sql,
  chainId: bigint,
  options: MarkSource & { known: readonly Mark[]; finalized: bigint },
): Promise<Mark[]> {
  const { known, finalized, source, signal } = options
  const last = known.at(-1)!.number
  const wanted = new Set([...(last < 1n && finalized >= 1n ? [1n] : []), ...(finalized > 2n * last ? [finalized] : [])])
  // A node without old headers is usable anyway, with one mark less.
  async function read(number: bigint): Promise<Header[]> {
    const headers = await source.headers(number, number, signal)
    await Promise.all(headers.map((header) => source.confirm(header, signal)))
    return headers
  }
  const readable = (number: bigint) => read(number).catch(() => [])
  const headers = await Promise.all([...wanted].map(readable))
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
