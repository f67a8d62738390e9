import { createCoinQuery } from '../../coin/pages/createCoinQuery.ts'
import { inconsistencyOf } from '../../coin/query.ts'
import type { Sql } from '../../db/database.ts'
import type { HeadAge } from '../../sync/headAge.ts'
import type { Print } from './print.ts'

/** The state of each network of coins, as `status` prints it. */
export async function readNetworkOverview(db: Sql) {
  const query = createCoinQuery({ db })
  const names = await db.rows<[string, bigint]>(
    'SELECT n.name, (SELECT count(*) FROM coin c WHERE c.network_id = n.id AND c.shown) FROM coin_network n ORDER BY n.name',
  )
  return Promise.all(
    names.map(async ([network, coins]) => {
      const state = await query.network(network)
      return {
        network,
        coins,
        imported: state?.imports ?? 0n,
        from: state?.fromVersion ?? 0n,
        to: state?.toVersion ?? null,
        head: state?.headVersion ?? null,
        headAgeSeconds: headAgeSeconds(state?.head ?? null),
        progress: state?.progress ?? 0,
        failure: state ? (state.failure ?? inconsistencyOf(state)) : null,
      }
    }),
  )
}

export function printNetworks(print: Print, networks: Awaited<ReturnType<typeof readNetworkOverview>>): void {
  if (networks.length === 0) return
  print.line()
  print.table(
    ['network', 'coins', 'imported', 'version', 'head', 'head seen', 'progress', 'state'],
    networks.map((n) => [
      n.network,
      String(n.coins),
      String(n.imported),
      String(n.to ?? '-'),
      String(n.head ?? '-'),
      describeHeadAge(n.headAgeSeconds),
      `${Math.floor(n.progress * 10_000) / 100} %`,
      n.failure ?? 'good',
    ]),
  )
}

/** Whole seconds since the head was confirmed, as in JSON output; null: never. */
export function headAgeSeconds(head: HeadAge | null): number | null {
  return head === null ? null : Math.floor(head.ageMs / 1_000)
}

/** The same in the column `head seen` of a table. */
export function describeHeadAge(seconds: number | null): string {
  return seconds === null ? '-' : `${seconds} s ago`
}
