import { hash } from 'node:crypto'
import { column } from './defineRow.ts'

/**
 * The epoch of a database: 12 hex digits that change with every restore by any tool. A restored database counts versions again from an old value, so
 * a version identifies a state only together with the epoch.
 * The epoch is derived from PostgreSQL's start time and the oid of a table, one that is on every node of a cluster. A restore of files (a copy, a
 * snapshot, an archive) requires a new start, and a restore that fills tables creates them. A stored value would be restored with the rest.
 */
export const databaseEpoch = column
  .text(`concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), 'chain'::regclass::oid)`)
  .map(epochOf)

/** The latest epoch and its source: a server uses one database. */
let last = { source: '', epoch: '' }

function epochOf(source: string): string {
  if (source !== last.source) last = { source, epoch: hash('md5', source).slice(0, 12) }
  return last.epoch
}
