import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from '../database.ts'
import { DatabaseUnavailableError } from '../databaseError.ts'
import { isDistributed } from './citus.ts'

/** Interval between queries of nodes, in milliseconds. Citus itself checks only every minute for transactions that a lost commit left in doubt. */
const queryEveryMs = 500

/**
 * Waits until no node has any of the transactions that are in doubt now: prepared, but neither committed nor rolled back. No other transaction sees
 * or deletes the rows that such a transaction inserted, but they appear with its commit. A single server has none. Throws DatabaseUnavailableError if
 * a node does not answer.
 */
export async function untilDecided(sql: Sql, signal?: AbortSignal): Promise<void> {
  if (!(await isDistributed(sql))) return
  let remaining = await readPrepared(sql)
  while (remaining.size > 0) {
    await wait(queryEveryMs, undefined, signal && { signal })
    const now = await readPrepared(sql)
    remaining = new Set([...remaining].filter((one) => now.has(one)))
  }
}

/** The prepared transactions of the nodes. */
async function readPrepared(sql: Sql): Promise<Set<string>> {
  const rows = await sql.rows<[node: string, isGood: boolean, prepared: string]>(selectPrepared)
  const lost = rows.find(([, isGood]) => !isGood)
  if (lost) throw new DatabaseUnavailableError(`the node ${lost[0]} of the database does not answer: ${lost[2]}`)
  return new Set(
    rows.flatMap(([node, , prepared]) => (JSON.parse(prepared) as string[]).map((gid) => `${node} ${gid}`)),
  )
}

const selectPrepared = `
SELECT nodename || ':' || nodeport, success, result FROM run_command_on_workers(
  $$SELECT coalesce(json_agg(gid), '[]') FROM pg_prepared_xacts WHERE database = current_database()$$
)`
