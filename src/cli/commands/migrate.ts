import { Command } from 'commander'
import { migrate } from '../../db/migrate.ts'
import { silentLog } from '../../log.ts'
import { addDatabaseOptions, type ConfigOptions, configFrom } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { openDatabase } from '../context/openDatabase.ts'

export function migrateCommand({ print, signal, secrets }: CliContext): Command {
  return addDatabaseOptions(new Command('migrate'))
    .description("bring the database's schema to this version; start does it too")
    .option('--json', 'print JSON')
    .action(async (options: ConfigOptions & { json?: boolean }) => {
      const { db, close } = await openDatabase(await configFrom(options, { secrets }), signal)
      try {
        const applied = await migrate(db, silentLog)
        if (options.json) print.json({ applied })
        else print.line(applied.length === 0 ? 'nothing to migrate' : `migrated: ${applied.join(', ')}`)
      } finally {
        await close()
      }
    })
}
