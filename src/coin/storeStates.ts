import type { Transaction } from '../db/database.ts'
import { defineLists, list } from '../db/defineLists.ts'
import type { CoinRun } from './coinRuns.ts'

const runLists = defineLists<CoinRun>({
  subject: list.bytea((r) => Buffer.from(r.subject, 'hex')),
  version: list.int8((r) => r.version),
  decimals: list.int2((r) => r.decimals),
  supply: list.numeric((r) => r.supply),
  maximum: list.numeric((r) => r.maximum),
  deleted: list.bool((r) => r.deleted),
  points: list.bytea((r) => r.points),
})

const isUnknown = (state: string) =>
  `NOT EXISTS (SELECT 1 FROM coin c WHERE c.network_id = $1 AND c.coin_type_hash = ${state}.subject)`

/** Objects are deleted often, but assets rarely. Keeps only deletions of known assets and, if `$2`, those whose first write may still come. */
const insert = `INSERT INTO coin_state (network_id, ${runLists.columns})
SELECT $1, r.* FROM ${runLists.unnest(3, 'r')}
WHERE $2 OR r.decimals IS NOT NULL OR NOT r.deleted OR NOT (${isUnknown('r')})`

/** Deletes deletions up to version $2 of objects that are not assets, as no earlier write is expected. */
const forget = `DELETE FROM coin_state s
WHERE s.network_id = $1 AND s.deleted AND s.decimals IS NULL AND s.version <= $2 AND ${isUnknown('s')}`

/**
 * Stores states of coins, after the coins of the same versions. `hasGap`: earlier versions are unread; `forgetTo`: no first write is expected up to
 * this version.
 */
export async function storeStates(
  tx: Transaction,
  options: { networkId: number; runs: readonly CoinRun[]; hasGap: boolean; forgetTo: bigint | undefined },
): Promise<void> {
  const { networkId, runs, hasGap, forgetTo } = options
  if (runs.length > 0) await tx.run(insert, [networkId, hasGap, ...runLists.lists(runs)])
  if (forgetTo !== undefined) await tx.run(forget, [networkId, forgetTo])
}
