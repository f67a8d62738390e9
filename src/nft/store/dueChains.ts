import type { Sql } from '../../db/database.ts'
import { isServed, type Served, servedValues } from '../../sync/leases/served.ts'
import { isWokenFor, type WokenFor } from '../../util/wait.ts'
import { collectionHistory, dueSince, type HistoryTable, isWaiting } from './historyQueue.ts'

/**
 * Validity of a chain's answer in a loop's query. On Citus no single statement queries all chains with one index step each, and a statement per chain
 * costs every node. So a chain is queried again when the loop is woken, or when its answer may have changed with time.
 */
const queryAgainMs = 5_000

/** Validity of an answer after a wake: on a cluster, the row that woke the loop may become visible on its node a moment later. */
const wokenMs = 1_000

/** Answers by chain with their expiry, on the clock of performance.now(). */
type Answers<T> = Map<bigint, { answer: T; until: number }>

/** Queries chains without a valid answer. */
async function queryMissing<T>(
  answers: Answers<T>,
  { chains, woken }: { chains: readonly bigint[]; woken: WokenFor },
  request: (chain: bigint) => Promise<{ answer: T; validMs: number }>,
): Promise<T[]> {
  const requested = performance.now()
  if (woken === 'all') answers.clear()
  else for (const chain of woken) answers.delete(chain)
  const reported = chains.map(async (chain) => {
    const known = answers.get(chain)
    if (known && known.until > requested) return known.answer
    const { answer, validMs } = await request(chain)
    answers.set(chain, { answer, until: requested + (isWokenFor(woken, chain) ? Math.min(validMs, wokenMs) : validMs) })
    return answer
  })
  return Promise.all(reported)
}

/** `woken`: chains whose earlier answers are discarded. */
export type QueryChains<T> = (of: T, woken: WokenFor) => Promise<bigint[]>

/** Chains with due subjects of a table, longest waiting first. */
export function createDueChains(sql: Sql, table: HistoryTable = collectionHistory): QueryChains<Served> {
  const text = selectFirstDue(table)
  const answers: Answers<Date | undefined> = new Map()
  return async (served, woken) => {
    const chains = [...new Set([...served.chains, ...served.lent.keys()])]
    const firsts = await queryMissing(answers, { chains, woken }, async (chain) => {
      const values = [...servedValues(served), chain, queryAgainMs / 1_000]
      const [[since, waitsMs] = [undefined, queryAgainMs]] = await sql.rows<[Date, number]>(text, values)
      // A due time slice starts now, which changes the answer.
      return waitsMs > 0 ? { answer: undefined, validMs: waitsMs } : { answer: since, validMs: 0 }
    })
    const dueChains = chains.flatMap((chain, i) => (firsts[i] ? [{ chain, since: firsts[i] }] : []))
    return dueChains.sort((a, b) => Number(a.since) - Number(b.since)).map(({ chain }) => chain)
  }
}

/** The first due time of a chain, if it is within $6 seconds, and the milliseconds until then. */
const selectFirstDue = (table: HistoryTable) => `
SELECT ${dueSince}, 1000 * extract(epoch FROM ${dueSince} - now())::float8 FROM ${table.name}
WHERE chain_id = $5 AND ${isWaiting(table)} AND ${dueSince} <= now() + make_interval(secs => $6)
  AND ${isServed('partition', 'chain_id')}
ORDER BY ${dueSince} LIMIT 1`

/**
 * Chains with live or future live subjects of a table: the chain must be at its head by the time their history is read. `hasUnsettled`: whether ended
 * subjects still have blocks that a reorg may remove.
 */
export function createWantedChains(
  sql: Sql,
  { name }: Pick<HistoryTable, 'name'> = collectionHistory,
  hasUnsettled: (chain: bigint) => Promise<boolean> = async () => false,
): QueryChains<readonly bigint[]> {
  const answers: Answers<boolean> = new Map()
  return async (chains, woken) => {
    const requested = new Set<bigint>()
    // Waking the loop for a chain removes none of its subjects.
    const uncertain = woken === 'all' ? woken : new Set([...woken].filter((chain) => !answers.get(chain)?.answer))
    const wanted = await queryMissing(answers, { chains, woken: uncertain }, async (chain) => {
      requested.add(chain)
      const isWanted = (await sql.rows(selectWanted(name), [chain])).length > 0 || (await hasUnsettled(chain))
      return { answer: isWanted, validMs: queryAgainMs }
    })
    const others = chains.filter((chain, i) => !wanted[i] && !requested.has(chain))
    const started = others.length === 0 ? [] : await sql.rows<[bigint]>(selectStarted(name), [others])
    for (const [chain] of started) answers.delete(chain)
    const found = new Set(started.map(([chain]) => chain))
    return chains.filter((chain, i) => wanted[i] || found.has(chain))
  }
}

const selectWanted = (table: string) =>
  `SELECT 1 FROM ${table} WHERE chain_id = $1 AND status IN ('live', 'syncing', 'queued') LIMIT 1`

/** Chains without such a subject at the last query that have one now: it is not live yet, whichever process inserted it. */
const selectStarted = (table: string) =>
  `SELECT DISTINCT chain_id FROM ${table} WHERE chain_id = ANY($1::int8[]) AND status IN ('queued', 'syncing')`
