import type { RpcLog } from '../../../chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../../../chain/evm/source/tokenEvents.ts'
import type { Sql } from '../../../db/database.ts'
import { column, defineRow, type RowOf } from '../../../db/defineRow.ts'
import { type RowKey, rowKeys } from '../../../db/rowKeys.ts'
import { isServed, type Served, servedValues } from '../../../sync/leases/served.ts'
import { type Address, bufferToHex } from '../../../util/hex.ts'
import { type ContractMetadataJson, noContractMetadata } from '../parse/parseContractMetadata.ts'

/** Channel of requests for contract metadata. */
export const contractDemandChannel = 'mintmark_contract_metadata'

/** Requests contract metadata that was never read, or not for a day. Converts the time zone, as Citus adds no intervals to a timestamptz column. */
export async function requestContracts(sql: Sql, keys: readonly RowKey[]): Promise<void> {
  const added = await sql.run(
    `INSERT INTO contract_metadata AS m (partition, collection_id, chain_id)
     SELECT c.partition, c.id, c.chain_id FROM ${rowKeys.unnest(1, 'a')}
     JOIN collection c ON c.partition = a.partition AND c.id = a.id WHERE c.partition = ANY($1::int2[])
     ON CONFLICT (partition, collection_id) DO UPDATE SET due_at = excluded.due_at
     WHERE m.due_at IS NULL AND m.tried_at AT TIME ZONE 'UTC' < excluded.due_at AT TIME ZONE 'UTC' - interval '1 day'`,
    rowKeys.lists(keys),
  )
  if (added > 0) await sql.rows('SELECT pg_notify($1, $2)', [contractDemandChannel, ''])
}

/** Contracts that announce changed metadata in these logs. */
export function announcedContracts<K extends RowKey>(logs: readonly RpcLog[], followed: ReadonlyMap<Address, K>): K[] {
  const announced = new Set<K>()
  for (const { address, topics } of logs) {
    const contract = topics[0] === tokenTopic.contractUriUpdated && followed.get(address)
    if (contract) announced.add(contract)
  }
  return [...announced]
}

/** Schedules a read of requested contract metadata, `coolOffMs` after the last attempt. The due time differs from that of a running read. */
export async function announceContracts(tx: Sql, keys: readonly RowKey[], coolOffMs: number): Promise<void> {
  if (keys.length === 0) return
  // Citus rejects now() within CASE.
  const due = `greatest(now(), ((m.tried_at AT TIME ZONE 'UTC') + make_interval(secs => $3::float8 / 1000)) AT TIME ZONE 'UTC')`
  const updated = await tx.run(
    `UPDATE contract_metadata m SET attempts = 0, due_at = least(${due}, nullif(greatest(m.due_at, now()), now()))
     FROM ${rowKeys.unnest(1, 'a')}
     WHERE m.partition = a.partition AND m.collection_id = a.id AND m.partition = ANY($1::int2[])`,
    [...rowKeys.lists(keys), coolOffMs],
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

/** Contract metadata that was attempted, by contract id. */
export async function readContractMetadata(
  sql: Sql,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<bigint, ContractMetadataJson>> {
  const rows = await sql.rows(
    `SELECT ${storedRow.columns} FROM ${rowKeys.unnest(1, 'a')}
     JOIN contract_metadata m ON m.partition = a.partition AND m.collection_id = a.id
     WHERE m.partition = ANY($1::int2[]) AND m.tried_at IS NOT NULL`,
    rowKeys.lists(keys),
  )
  return new Map(rows.map(storedRow.decode).map(({ id, ...metadata }) => [id, metadata]))
}

const dueRow = defineRow({
  partition: column.int2('m.partition'),
  id: column.int8('m.collection_id'),
  chainId: column.int8('m.chain_id'),
  attempts: column.int4('m.attempts'),
  /** To the microsecond: an announcement during a read changes it. */
  dueAt: column.text('m.due_at::text'),
  address: column.bytea('c.address').map(bufferToHex),
})

export type DueContract = RowOf<typeof dueRow>

/** Contracts with due metadata: those without a failed attempt first, each longest waiting first. `running`: ids that are omitted. */
export async function readDueContracts(
  sql: Sql,
  served: Served,
  { limit, running }: { limit: number; running: readonly bigint[] },
): Promise<DueContract[]> {
  const rows = await sql.rows(
    `SELECT ${dueRow.columns} FROM contract_metadata m JOIN collection c ON c.partition = m.partition AND c.id = m.collection_id
     WHERE m.due_at <= now() AND m.collection_id <> ALL($6::int8[]) AND ${isServed('m.partition', 'm.chain_id')}
     ORDER BY m.attempts > 0, m.due_at LIMIT $5`,
    [...servedValues(served), limit, running],
  )
  return rows.map(dueRow.decode)
}

/** Outcome of an attempt. A contract without metadata loses its previous metadata. */
export type ContractOutcome =
  | { kind: 'metadata'; metadata: ContractMetadataJson }
  | { kind: 'none'; reason: string }
  /** Previous metadata is kept. */
  | { kind: 'failed'; reason: string; retrySeconds: number }

/** Announcements after `dueAt` stay due. */
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
  const found = outcome.kind === 'metadata' ? outcome.metadata : noContractMetadata
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
