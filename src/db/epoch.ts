/**
 * SQL for the epoch of a database: 12 hex digits that change with every restore, whatever tool makes it. A restored database counts
 * versions again from an old value, so a version names a state only together with the epoch.
 *
 * The epoch comes from the time at which PostgreSQL started and the number of a table in its catalogue, of one that stands on every node of
 * a cluster. A restore of files (a copy, a snapshot, an archive) needs a new start, and a restore that fills tables creates them. A stored
 * value would be restored with the rest.
 */
export const databaseEpoch =
  "left(md5(extract(epoch FROM pg_postmaster_start_time()) || ' ' || 'chain'::regclass::oid::text), 12)"
