import type { RpcLog } from '../../../chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../../../chain/evm/source/tokenEvents.ts'
import type { Sql } from '../../../db/database.ts'
import { column, defineRow, type RowOf } from '../../../db/defineRow.ts'
import { isServed, type Served, servedValues } from '../../../sync/leases/served.ts'
import { type Address, bufferToHex } from '../../../util/hex.ts'
import { type ContractDocument, noContractDocument } from '../document/contractDocument.ts'

/** Notified when metadata of contracts was requested. */
export const contractDemandChannel = 'mintmark_contract_metadata'

type Key = { partition: number; id: bigint }

const lists = (keys: readonly Key[]) => [keys.map(({ partition }) => partition), keys.map(({ id }) => id)]

/** Has the metadata of contracts read that was never read, or not for a day. Citus adds intervals to no column with a time zone. */
export async function requestContracts(sql: Sql, keys: readonly Key[]): Promise<void> {
  const added = await sql.run(
    `INSERT INTO contract_metadata AS m (partition, collection_id, chain_id)
     SELECT c.partition, c.id, c.chain_id FROM unnest($1::int2[], $2::int8[]) AS a (partition, id)
     JOIN collection c ON c.partition = a.partition AND c.id = a.id WHERE c.partition = ANY($1::int2[])
     ON CONFLICT (partition, collection_id) DO UPDATE SET due_at = excluded.due_at
     WHERE m.due_at IS NULL AND m.tried_at AT TIME ZONE 'UTC' < excluded.due_at AT TIME ZONE 'UTC' - interval '1 day'`,
    lists(keys),
  )
  if (added > 0) await sql.rows('SELECT pg_notify($1, $2)', [contractDemandChannel, ''])
}

/** The contracts that say in these logs that their metadata changed. */
export function announcedContracts<K extends Key>(logs: readonly RpcLog[], followed: ReadonlyMap<Address, K>): K[] {
  const announced = new Set<K>()
  for (const { address, topics } of logs) {
    const contract = topics[0] === tokenTopic.contractUriUpdated && followed.get(address)
    if (contract) announced.add(contract)
  }
  return [...announced]
}

/**
 * Schedules a read of known or requested contract metadata, `coolOffMs` after the last attempt, at another time than that of a read in progress.
 * `block`: the block of the announcement, if it can be undone.
 */
export async function announceContracts(
  tx: Sql,
  keys: readonly Key[],
  { coolOffMs, block }: { coolOffMs: number; block: bigint | undefined },
): Promise<void> {
  if (keys.length === 0) return
  // Citus takes no now() within CASE.
  const due = `greatest(now(), ((m.tried_at AT TIME ZONE 'UTC') + make_interval(secs => $3::float8 / 1000)) AT TIME ZONE 'UTC')`
  const updated = await tx.run(
    `UPDATE contract_metadata m SET attempts = 0, announced_block = coalesce($4::int8, m.announced_block),
       due_at = least(${due}, nullif(greatest(m.due_at, now()), now()))
     FROM unnest($1::int2[], $2::int8[]) AS a (partition, id)
     WHERE m.partition = a.partition AND m.collection_id = a.id AND m.partition = ANY($1::int2[])`,
    [...lists(keys), coolOffMs, block ?? null],
  )
  if (updated > 0) await tx.rows('SELECT pg_notify($1, $2)', [contractDemandChannel, ''])
}

/** Has metadata read again that a block above `fork` announced, which is undone. */
export async function revertContracts(tx: Sql, chainId: bigint, fork: bigint): Promise<void> {
  const updated = await tx.run(
    'UPDATE contract_metadata SET due_at = now(), announced_block = NULL WHERE chain_id = $1 AND announced_block > $2',
    [chainId, fork],
  )
  if (updated > 0) await tx.rows('SELECT pg_notify($1, $2)', [contractDemandChannel, ''])
}

const storedRow = defineRow({
  id: column.int8('m.collection_id'),
  name: column.text('m.name').orNull(),
  description: column.text('m.description').orNull(),
  image: column.text('m.image').orNull(),
  bannerImage: column.text('m.banner_image').orNull(),
  externalLink: column.text('m.external_link').orNull(),
})

/** The metadata of contracts that was tried, by their ids. */
export async function readContractDocuments(
  sql: Sql,
  keys: readonly Key[],
): Promise<ReadonlyMap<bigint, ContractDocument>> {
  const rows = await sql.rows(
    `SELECT ${storedRow.columns} FROM unnest($1::int2[], $2::int8[]) AS a (partition, id)
     JOIN contract_metadata m ON m.partition = a.partition AND m.collection_id = a.id
     WHERE m.partition = ANY($1::int2[]) AND m.tried_at IS NOT NULL`,
    lists(keys),
  )
  return new Map(rows.map(storedRow.decode).map(({ id, ...document }) => [id, document]))
}

const dueRow = defineRow({
  partition: column.int2('m.partition'),
  id: column.int8('m.collection_id'),
  chainId: column.int8('m.chain_id'),
  attempts: column.int4('m.attempts'),
  /** To the microsecond: an announcement while it is read gives it another one. */
  dueAt: column.text('m.due_at::text'),
  address: column.bytea('c.address').map(bufferToHex),
})

export type DueContract = RowOf<typeof dueRow>

/** Contracts whose metadata is due, those that waited longest first. */
export async function readDueContracts(sql: Sql, served: Served, limit: number): Promise<DueContract[]> {
  const rows = await sql.rows(
    `SELECT ${dueRow.columns} FROM contract_metadata m JOIN collection c ON c.partition = m.partition AND c.id = m.collection_id
     WHERE m.due_at <= now() AND ${isServed('m.partition', 'm.chain_id')} ORDER BY m.due_at LIMIT $5`,
    [...servedValues(served), limit],
  )
  return rows.map(dueRow.decode)
}

/** Outcome of a try. A contract without metadata loses what it had. */
export type ContractOutcome =
  | { kind: 'document'; document: ContractDocument }
  | { kind: 'none'; reason: string }
  /** What was read before stays. */
  | { kind: 'failed'; reason: string; retrySeconds: number }

/** What was announced since `dueAt` stays due. */
export async function settleContract(
  sql: Sql,
  { partition, id, dueAt }: Pick<DueContract, 'partition' | 'id' | 'dueAt'>,
  outcome: ContractOutcome,
): Promise<void> {
  const key = [partition, id]
  if (outcome.kind === 'failed') {
    await sql.run(
      `UPDATE contract_metadata SET tried_at = now(), attempts = attempts + 1, reason = $3,
         due_at = CASE WHEN due_at = $5::timestamptz THEN (SELECT now() + make_interval(secs => $4)) ELSE due_at END
       WHERE partition = $1 AND collection_id = $2`,
      [...key, outcome.reason, outcome.retrySeconds, dueAt],
    )
    return
  }
  const found = outcome.kind === 'document' ? outcome.document : noContractDocument
  await sql.run(
    `UPDATE contract_metadata SET tried_at = now(), attempts = 0, due_at = CASE WHEN due_at = $9::timestamptz THEN NULL ELSE due_at END, reason = $3,
       name = $4, description = $5, image = $6, banner_image = $7, external_link = $8
     WHERE partition = $1 AND collection_id = $2`,
    [
      ...key,
      outcome.kind === 'none' ? outcome.reason : null,
      ...[found.name, found.description, found.image, found.bannerImage, found.externalLink],
      dueAt,
    ],
  )
}
