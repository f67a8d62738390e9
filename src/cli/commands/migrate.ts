import { Command } from 'commander'
import type { PlacedTable } from '../../db/cluster/citus.ts'
import type { Database } from '../../db/database.ts'
import {
  type DistributionPlan,
  distribute,
  NotDistributableError,
  planDistribution,
} from '../../db/migrations/distribute.ts'
import { migrate } from '../../db/migrations/migrate.ts'
import { readProcesses } from '../../service/processes/processStore.ts'
import { runningServers } from '../../sync/leases/livingWorkers.ts'
import { ConfigError } from '../../util/errors.ts'
import { noopLog } from '../../util/log.ts'
import { addDatabaseOptions, type ConfigOptions, configFrom } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { openDatabase } from '../context/openDatabase.ts'
import { wholeNumber } from '../input/parseArgument.ts'
import type { Print } from '../report/print.ts'

type MigrateOptions = ConfigOptions & { json?: boolean; distribute?: boolean; shards?: number }

export function migrateCommand({ print, signal, secrets }: CliContext): Command {
  return addDatabaseOptions(new Command('migrate'))
    .description('migrate the database to the schema of this version; "mintmark start" also does this')
    .option(
      '--distribute',
      'on the coordinator of a Citus cluster: distribute the tables to its nodes; continues after an interruption',
    )
    .option(
      '--shards <number>',
      'with --distribute: number of shards, permanent, at most 256 (default: citus.shard_count)',
      wholeNumber(256),
    )
    .option('--json', 'print JSON')
    .action(async (options: MigrateOptions) => {
      if (options.shards !== undefined && !options.distribute) throw new ConfigError('--shards needs --distribute')
      const { db, close } = await openDatabase(await configFrom(options, { secrets }), signal, { print })
      try {
        // Fails before any change.
        if (options.distribute) await planDistribution(db, options.shards)
        const applied = await migrate(db, noopLog)
        if (!options.json) print.line(applied.length === 0 ? 'nothing to migrate' : `migrated: ${applied.join(', ')}`)
        const plan =
          options.distribute && (await distributeTables(db, options.shards, options.json ? undefined : print))
        if (options.json) print.json({ applied, ...(plan && { distributed: distributionReport(plan) }) })
      } finally {
        await close()
      }
    })
}

async function distributeTables(
  db: Database,
  shards: number | undefined,
  print: Print | undefined,
): Promise<DistributionPlan> {
  const plan = await planDistribution(db, shards)
  const moving = plan.tables.filter(({ placed }) => !placed)
  if (moving.length === 0) {
    print?.line(`nothing to distribute: the tables are in ${plan.shards} shards on ${plan.nodes.join(', ')}`)
    return plan
  }
  // A frozen server has no heartbeat, but still a connection.
  const servers = [...(await readProcesses(db)), ...(await runningServers(db))]
  if (servers.length > 0)
    throw new NotDistributableError(
      `${[...new Set(servers.map(({ host, pid }) => `${host}:${pid}`))].join(', ')} run on this database, or were killed in the last half minute: stop all servers before the tables are moved`,
    )
  const at = (place: PlacedTable['place']) => moving.filter((table) => table.place === place).map(({ table }) => table)
  print?.line(
    `by partition, in ${plan.shards} shards on ${plan.nodes.join(', ')}: ${at('partition').join(', ') || 'none'}`,
  )
  print?.line(`whole on every node: ${at('everywhere').join(', ') || 'none'}`)
  await distribute(db, { plan, onTable: ({ table }) => print?.line(`${table} is distributed`) })
  return plan
}

function distributionReport({ nodes, shards, tables }: DistributionPlan) {
  const at = (place: PlacedTable['place']) => tables.filter((table) => table.place === place).map(({ table }) => table)
  return {
    nodes,
    shards,
    byPartition: at('partition'),
    onEveryNode: at('everywhere'),
    onCoordinator: at('coordinator'),
  }
}
