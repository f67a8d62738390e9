import type { Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import type { Attempt } from './attempt.ts'

/** A changed success rate of an address. */
export type Rate = {
  urlHash: Buffer
  rate: number
  /** Whether any attempt failed. */
  failed: boolean
}

/** Effect of a run of results on a success rate: x → least(cap, x + change). */
type RateChange = { cap: number; change: number }

export const noChange: RateChange = { cap: 100, change: 0 }

/** The run with one more result. */
export function withResult({ cap, change }: RateChange, delivered: boolean): RateChange {
  if (!delivered) return { cap: cap - 1, change: change - 1 }
  return { cap: Math.min(100, cap + 1), change: change + 1 }
}

/** The results of an address. */
type Run = { hash: Buffer; run: RateChange; failed: boolean }

/** Changes the success rates of the attempts' addresses. Returns the changed ones. */
export async function changeSuccessRates(tx: Transaction, attempts: readonly Attempt[]): Promise<Rate[]> {
  const runs = new Map<string, Run>()
  for (const { urlHash, outcome } of attempts) {
    // A receiver that answers 429 accepts webhooks, but fewer at a time.
    if (outcome.code === 429) continue
    const key = urlHash.toString('latin1')
    const before = runs.get(key)
    const delivered = outcome.status === 'delivered'
    const run = withResult(before?.run ?? noChange, delivered)
    runs.set(key, { hash: urlHash, run, failed: before?.failed || !delivered })
  }
  if (runs.size === 0) return []
  const all = [...runs.values()].sort((a, b) => Buffer.compare(a.hash, b.hash))
  const lists = changedRate.lists(all)
  if ((await tx.rows(selectChanging, lists)).length === 0) return []
  const rows = await tx.rows<[Buffer, number]>(changeRates, lists)
  return rows.map(([urlHash, rate]) => ({
    urlHash,
    rate,
    failed: runs.get(urlHash.toString('latin1'))?.failed === true,
  }))
}

const changedRate = defineLists<Run>({
  partition: list.int2(({ hash }) => hash[0]!),
  hash: list.bytea(({ hash }) => hash),
  cap: list.int2(({ run }) => Math.max(-32_000, run.cap)),
  change: list.int2(({ run }) => Math.max(-32_000, Math.min(32_000, run.change))),
})

const rateAfter = 'greatest(0, least(v.cap, u.rate + v.change))'

const changing = `u.partition = v.partition AND u.hash = v.hash AND u.rate <> ${rateAfter}`

/**
 * Whether any rate changes. Usually none does, as most addresses are at 100 and succeed. On a cluster, the table is on
 * every node, so a statement that may write it runs on all nodes.
 */
const selectChanging = `SELECT 1 FROM ${changedRate.unnest()} JOIN webhook_url u ON ${changing} LIMIT 1`

/**
 * Success rates after a run of results. A result is ±1, never above 100; a run of them is x → least(cap, x + change).
 */
const changeRates = `
UPDATE webhook_url u SET rate = ${rateAfter} FROM ${changedRate.unnest()} WHERE ${changing}
RETURNING u.hash, u.rate`
