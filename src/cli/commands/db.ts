import { Command, InvalidArgumentError } from 'commander'
import { queryReadOnly } from '../../db/query/queryReadOnly.ts'
import { promisedViews } from '../../db/views/promisedViews.ts'
import { createReader, listReaders, removeReader, viewSchema } from '../../db/views/readers.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { wholeNumber } from '../input/parseArgument.ts'

type QueryOptions = ConfigOptions & { limit: number; timeout: number; json?: boolean }
type ReaderOptions = ConfigOptions & { json?: boolean; timeout: number }

export function dbCommand(context: CliContext): Command {
  return new Command('db')
    .description('the database')
    .addCommand(queryCommand(context))
    .addCommand(readerCommand(context))
}

function queryCommand(context: CliContext): Command {
  const { print, signal } = context
  return addDatabaseOptions(new Command('query'))
    .description('run one read-only SELECT; secrets are masked')
    .argument('<sql>', 'the query, such as "SELECT status, count(*) FROM collection GROUP BY status"')
    .option('--limit <number>', 'maximum number of rows', wholeNumber(100_000), 1_000)
    .option('--timeout <seconds>', 'timeout', wholeNumber(3_600), 30)
    .option('--json', 'print JSON')
    .action((sql: string, options: QueryOptions) =>
      withDatabase({ ...options, anySchema: true }, context, async (db) => {
        const { limit, timeout } = options
        const { columns, rows, more } = await queryReadOnly({ db, sql, limit, timeoutMs: timeout * 1_000, signal })
        if (options.json) return print.json({ columns, rows, more })
        print.table(
          columns,
          rows.map((row) => row.map(cellOf)),
          { none: 'no rows', more },
        )
      }),
    )
}

function cellOf(value: unknown): string {
  if (value === null) return '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function readerCommand(context: CliContext): Command {
  return new Command('reader')
    .description('read-only database roles, which can read only the documented views')
    .addCommand(createReaderCommand(context))
    .addCommand(listReadersCommand(context))
    .addCommand(removeReaderCommand(context))
}

function createReaderCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('create'))
    .description(`create a read-only role with a password, and the views of the schema ${viewSchema}`)
    .argument('<name>', 'name of the role', roleName)
    .option('--timeout <seconds>', 'statement timeout of the role', wholeNumber(3_600), 30)
    .option('--json', 'print JSON')
    .action((name: string, options: ReaderOptions) =>
      withDatabase(options, context, async (db) => {
        const password = await createReader(db, { name, timeoutMs: options.timeout * 1_000 })
        const views = promisedViews.map((view) => `${viewSchema}.${view.name}`)
        if (options.json) print.json({ name, password, views })
        else {
          print.line(password)
          print.note(`role ${name} reads ${views.join(', ')}: save the password now, it is not shown again`)
        }
      }),
    )
}

function listReadersCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('list'))
    .description('list the read-only roles')
    .option('--json', 'print JSON')
    .action((options: ReaderOptions) =>
      withDatabase(options, context, async (db) => {
        const readers = await listReaders(db)
        if (options.json) return print.json(readers)
        print.table(
          ['name', 'statement timeout'],
          readers.map(({ name, statementTimeout }) => [name, statementTimeout ?? '-']),
          { none: 'no readers: create one with "mintmark db reader create"' },
        )
      }),
    )
}

function removeReaderCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('remove'))
    .description('remove a read-only role')
    .argument('<name>', 'name of the role', roleName)
    .option('--json', 'print JSON')
    .action((name: string, options: ReaderOptions) =>
      withDatabase(options, context, async (db) => {
        await removeReader(db, name)
        if (options.json) print.json({ name, removed: true })
        else print.line(`role ${name} is removed`)
      }),
    )
}

function roleName(text: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(text) || text.startsWith('pg_'))
    throw new InvalidArgumentError(
      'It must be 1 to 63 lower-case letters, digits and _, and must not begin with a digit or pg_.',
    )
  return text
}
