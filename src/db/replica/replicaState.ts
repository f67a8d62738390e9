import type { Sql } from '../database.ts'
import { column, defineRow, type RowOf } from '../defineRow.ts'

/** A WAL position in bytes from its beginning. */
const position = (lsn: string) => column.int8(`pg_wal_lsn_diff(${lsn}, '0/0')::int8`)

/** Identity of a database: PostgreSQL's system identifier, and the oids of the database and of a table. */
const identity = {
  systemId: column.text('(SELECT system_identifier::text FROM pg_control_system())'),
  databaseId: column.int8('(SELECT oid::int8 FROM pg_database WHERE datname = current_database())'),
  /** null: this user finds no Mintmark tables. */
  tableId: column.int8(`to_regclass('migration')::oid::int8`).orNull(),
  now: column.float8('(extract(epoch FROM clock_timestamp()) * 1000)::float8'),
}

const primaryRow = defineRow({
  ...identity,
  /** End of the WAL that the replica may have received. */
  written: position('pg_current_wal_flush_lsn()'),
})

const replicaRow = defineRow({
  ...identity,
  /** False: it is a primary, maybe after a promotion. */
  isReplica: column.bool('pg_is_in_recovery()'),
  /** WAL position up to which the replica has replayed. */
  replayed: position('pg_last_wal_replay_lsn()').orNull(),
  /** When the primary committed the last replayed transaction, by the primary's clock in Unix milliseconds. */
  replayedAt: column.float8('(extract(epoch FROM pg_last_xact_replay_timestamp()) * 1000)::float8').orNull(),
  isPaused: column.bool('CASE WHEN pg_is_in_recovery() THEN pg_is_wal_replay_paused() ELSE false END'),
})

export type PrimaryState = RowOf<typeof primaryRow>
export type ReplicaState = RowOf<typeof replicaRow>

export async function readPrimaryState(sql: Sql): Promise<PrimaryState> {
  const [row] = await sql.rows(`SELECT ${primaryRow.columns}`)
  return primaryRow.decode(row!)
}

export async function readReplicaState(sql: Sql): Promise<ReplicaState> {
  const [row] = await sql.rows(`SELECT ${replicaRow.columns}`)
  return replicaRow.decode(row!)
}

/** Why a server is not a replica, as the end of a sentence; undefined if it is one. */
export function whyNoStandby({ isReplica, replayed }: ReplicaState): string | undefined {
  return isReplica && replayed !== null ? undefined : 'is not a replica: it accepts writes, as a primary does'
}

/**
 * Why a server is not a replica of the primary's database, as the end of a sentence; undefined if it is one. The primary's state must be read after
 * the replica's.
 */
export function whyNoReplica(replica: ReplicaState, primary: PrimaryState): string | undefined {
  if (replica.systemId !== primary.systemId)
    return 'is of another PostgreSQL than the database, which it does not replicate'
  const standby = whyNoStandby(replica)
  if (standby !== undefined) return standby
  if (replica.databaseId !== primary.databaseId)
    return 'replicates this database, but its address specifies another database'
  if (replica.replayed! > primary.written) return 'follows another server: it has changes that the primary never made'
  return undefined
}
