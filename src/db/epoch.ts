/**
 * SQL for the epoch of a database: 12 hex digits that are others after every restore, whatever it was made with. A restored
 * database counts versions again from an old value, so a version names a state only together with the epoch.
 *
 * It is taken from the start of PostgreSQL and the place of a table in its catalogue. To put files back (a copy, a snapshot,
 * an archive), PostgreSQL has to be started again, and a restore that fills tables anew makes them anew. A stored value would come back with the rest.
 */
export const databaseEpoch =
  "left(md5(extract(epoch FROM pg_postmaster_start_time()) || ' ' || 'migration'::regclass::oid::text), 12)"
