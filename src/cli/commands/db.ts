import { Command } from 'commander'
import { queryReadOnly } from '../../db/query/queryReadOnly.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { wholeNumber } from '../input/parseArgument.ts'
import { readerCommand } from './dbReader.ts'

type QueryOptions = ConfigOptions & { limit: number; timeout: number; json?: boolean }

export function dbCommand(context: CliContext): Command {
  return new Command('db')
    .description('the database')
    .addCommand(queryCommand(context))
    .addCommand(readerCommand(context))
}

function queryCommand(context: CliContext): Command {
  const { print, signal } = context
  return addDatabaseOptions(new Command('query'))
    .description('run one SELECT, which can change nothing and sees no secret')
    .argument('<sql>', 'the query, such as "SELECT status, count(*) FROM collection GROUP BY status"')
    .option('--limit <number>', 'maximum number of rows', wholeNumber(100_000), 1_000)
    .option('--timeout <seconds>', 'timeout', wholeNumber(3_600), 30)
    .option('--json', 'print JSON')
    .action((sql: string, options: QueryOptions) =>
      withDatabase({ ...options, anySchema: true }, context, async (db) => {
        const { limit, timeout } = options
        const { columns, rows, more } = await queryReadOnly({ db, sql, limit, timeoutMs: timeout * 1_000, signal })
        if (options.json) print.json({ columns, rows, more })
        else if (rows.length === 0) print.line('no rows')
        else
          print.table(
            columns,
            rows.map((row) => row.map(cellOf)),
          )
        if (!options.json && more) print.note('there are more: raise --limit, or add a filter')
      }),
    )
}

function cellOf(value: unknown): string {
  if (value === null) return '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
