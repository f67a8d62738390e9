import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from '../database.ts'
import { DatabaseUnavailableError } from '../databaseError.ts'
import { isDistributed } from './citus.ts'

/** How often nodes are queried, in milliseconds. Citus itself looks every minute for what a lost commit left in doubt. */
const askEveryMs = 500

/**
 * Waits until no node of a cluster has a transaction in doubt any more that is in doubt now: prepared, and neither committed nor undone. No other
 * transaction sees or deletes the rows that such a transaction inserted, but they appear with its commit. One server alone has none. Throws
 * DatabaseUnavailableError if a node does not answer.
 */
export async function untilDecided(sql: Sql, signal?: AbortSignal): Promise<void> {
  if (!(await isDistributed(sql))) return
  let left = await readPrepared(sql)
  while (left.size > 0) {
    await wait(askEveryMs, undefined, signal && { signal })
    const now = await readPrepared(sql)
    left = new Set([...left].filter((one) => now.has(one)))
  }
}

/** The transactions that the nodes have prepared. */
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
