import { Command } from 'commander'
import { writeBackup } from '../../db/backup/writeBackup.ts'
import { readVersion } from '../../readVersion.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'

export function backupCommand(context: CliContext): Command {
  const { print, signal } = context
  return addDatabaseOptions(new Command('backup'))
    .description('write the whole database to one file, which contains secrets; servers may run meanwhile')
    .argument('<file>', 'file to write; it must not exist')
    .option('--json', 'print JSON')
    .action((path: string, options: ConfigOptions & { json?: boolean }) =>
      withDatabase({ ...options, anySchema: true }, context, async (db) => {
        const report = await writeBackup({
          db,
          path,
          version: readVersion(),
          signal,
          ...(print.interactive && { onTable: (table: string) => print.note(`writing ${table} …`) }),
        })
        if (options.json) print.json(report)
        else print.line(`${path}: ${report.rows} rows of ${report.tables} tables, migration ${report.migration}`)
      }),
    )
}
