import type { Sql, Transaction } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'

type Key = { partition: number; id: string }

/** First block by chain at which a stream has an address's matches. */
export type Since = ReadonlyMap<bigint, bigint>

/** Addresses with the same first blocks. */
export type SinceGroup = { since: Since; addresses: Buffer[] }

/** For stream $2 in partition $1. */
const groupRow = defineRow({
  isRemoved: column.bool(`removed OR EXISTS (SELECT 1 FROM stream_watched w
         WHERE w.partition = $1 AND w.stream_id = $2 AND w.address = a.address)`),
  addresses: column.byteaArray('array_agg(address)'),
  chainIds: column.int8Array('n.chain_ids').orNull(),
  fromBlocks: column.int8Array('n.from_blocks').orNull(),
})

/**
 * Addresses that the stream always watched since they were added (`groups`), and those that were ever removed
 * (`removed`).
 */
export async function readSince(
  tx: Transaction,
  { partition, id }: Key,
  addresses: readonly Uint8Array[],
): Promise<{ groups: SinceGroup[]; removed: Buffer[] }> {
  const rows = await tx.rows(
    `SELECT ${groupRow.columns} FROM stream_address a
     LEFT JOIN stream_since n ON n.partition = $1 AND n.stream_id = $2 AND n.number = a.since
     WHERE a.partition = $1 AND a.stream_id = $2 AND address = ANY($3::bytea[]) GROUP BY 1, n.chain_ids, n.from_blocks`,
    [partition, id, addresses],
  )
  const all = rows.map(groupRow.decode)
  return {
    groups: all
      .filter(({ isRemoved }) => !isRemoved)
      .map(({ addresses, chainIds, fromBlocks }) => ({
        since: new Map(chainIds?.map((chain, i) => [chain, fromBlocks![i]!])),
        addresses,
      })),
    removed: all.filter(({ isRemoved }) => isRemoved).flatMap(({ addresses }) => addresses),
  }
}

/**
 * Returns the number of a new row of first blocks, which `fillSince` fills; until then the addresses that refer to it
 * have the first blocks of their stream. undefined: the history of the stream has not begun, so addresses need no row.
 */
export async function reserveSince(tx: Transaction, { partition, id }: Key): Promise<bigint | undefined> {
  const [begun] = await tx.rows(
    'SELECT 1 FROM stream_chain WHERE partition = $1 AND stream_id = $2 AND NOT waiting LIMIT 1',
    [partition, id],
  )
  if (!begun) return undefined
  const [row] = await tx.rows<[bigint]>(
    `INSERT INTO stream_since (partition, stream_id, chain_ids, from_blocks) VALUES ($1, $2, '{}', '{}') RETURNING number`,
    [partition, id],
  )
  return row![0]
}

/** Stores the first blocks of the addresses that refer to this row. */
export async function fillSince(tx: Transaction, { partition, id }: Key, number: bigint, since: Since): Promise<void> {
  await tx.run(
    'UPDATE stream_since SET chain_ids = $4, from_blocks = $5 WHERE partition = $1 AND stream_id = $2 AND number = $3',
    [partition, id, number, [...since.keys()], [...since.values()]],
  )
}

/** Deletes a row that no address refers to. */
export async function releaseSince(tx: Transaction, { partition, id }: Key, number: bigint): Promise<void> {
  await tx.run('DELETE FROM stream_since WHERE partition = $1 AND stream_id = $2 AND number = $3', [
    partition,
    id,
    number,
  ])
}

/** Stores the first blocks of addresses. Addresses with the same first blocks share a row. */
export async function writeSince(
  tx: Transaction,
  { partition, id }: Key,
  { since, addresses }: SinceGroup,
): Promise<void> {
  if (addresses.length === 0) return
  const values = [partition, id, [...since.keys()], [...since.values()]]
  const [last] = await tx.rows<[bigint]>(
    `SELECT number FROM (SELECT * FROM stream_since WHERE partition = $1 AND stream_id = $2 ORDER BY number DESC LIMIT 1) l
     WHERE chain_ids = $3::bigint[] AND from_blocks = $4::bigint[]`,
    values,
  )
  const [row] = last
    ? [last]
    : await tx.rows<[bigint]>(
        `INSERT INTO stream_since (partition, stream_id, chain_ids, from_blocks) VALUES ($1, $2, $3, $4) RETURNING number`,
        values,
      )
  await tx.run(
    'UPDATE stream_address SET since = $3 WHERE partition = $1 AND stream_id = $2 AND address = ANY($4::bytea[])',
    [partition, id, row![0], addresses],
  )
}

/**
 * The never removed addresses of a stream, packed, by the first block of their matches on a chain; undefined: the
 * stream's first block.
 */
export async function readSteadyAddresses(
  sql: Sql,
  { partition, id }: Key,
  chainId: bigint,
): Promise<Map<bigint | undefined, Buffer>> {
  const rows = await sql.rows<[bigint | null, Buffer]>(
    `SELECT n.from_blocks[array_position(n.chain_ids, $3)] AS block, string_agg(address, ''::bytea) FROM stream_address a
     LEFT JOIN stream_since n ON n.partition = a.partition AND n.stream_id = a.stream_id AND n.number = a.since
     WHERE a.partition = $1 AND a.stream_id = $2 AND NOT removed
       AND NOT EXISTS (SELECT 1 FROM stream_watched w
         WHERE w.partition = a.partition AND w.stream_id = a.stream_id AND w.chain_id = $3 AND w.address = a.address)
     GROUP BY 1`,
    [partition, id, chainId],
  )
  return new Map(rows.map(([block, packed]) => [block ?? undefined, packed]))
}
