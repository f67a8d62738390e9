import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { restoreBackup } from '../db/backup/restoreBackup.ts'
import { NotFoundError } from '../errors.ts'
import { silentLog } from '../log.ts'
import { addDatabaseOptions, type ConfigOptions, configFrom } from './configOptions.ts'
import type { CliContext } from './context.ts'
import { openDatabase } from './openDatabase.ts'

export function restoreCommand({ print, signal }: CliContext): Command {
  return addDatabaseOptions(new Command('restore'))
    .description('fill an empty database from a backup: a new --data folder, or a new database of --database-url')
    .argument('<file>', 'file that "mintmark backup" wrote, of this version or an older one')
    .option('--json', 'print JSON')
    .action(async (path: string, options: ConfigOptions & { json?: boolean }) => {
      if (!existsSync(path)) throw new NotFoundError(`there is no file ${path}`)
      const { db, close } = await openDatabase(await configFrom(options), signal)
      try {
        const { head, tables, skipped } = await restoreBackup({
          db,
          path,
          log: silentLog,
          signal,
          ...(print.interactive && { onTable: (table: string) => print.note(`filling ${table} …`) }),
        })
        if (options.json) print.json({ ...head, tables, skipped })
        else print.line(`restored ${tables} tables as they were at ${head.createdAt} (Mintmark ${head.version})`)
        if (skipped.length > 0) print.note(`left out, as they are not Mintmark's: ${skipped.join(', ')}`)
      } finally {
        await close()
      }
    })
}
