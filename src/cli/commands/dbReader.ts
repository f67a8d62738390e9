import { Command, InvalidArgumentError } from 'commander'
import { promisedViews } from '../../db/views/promisedViews.ts'
import { createReader, listReaders, removeReader, viewSchema } from '../../db/views/readers.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { wholeNumber } from '../input/parseArgument.ts'

type Options = ConfigOptions & { json?: boolean; timeout: number }

export function readerCommand(context: CliContext): Command {
  return new Command('reader')
    .description('database roles that read the documented views and nothing else')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(removeCommand(context))
}

function createCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('create'))
    .description(`create a role with a password, and the views of the schema ${viewSchema}`)
    .argument('<name>', 'name of the role', roleName)
    .option('--timeout <seconds>', 'timeout of a statement', wholeNumber(3_600), 30)
    .option('--json', 'print JSON')
    .action((name: string, options: Options) =>
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

function listCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('list'))
    .description('list these roles')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withDatabase(options, context, async (db) => {
        const readers = await listReaders(db)
        if (options.json) print.json(readers)
        else if (readers.length === 0) print.line('no readers: create one with "mintmark db reader create"')
        else
          print.table(
            ['name', 'statement timeout'],
            readers.map(({ name, statementTimeout }) => [name, statementTimeout ?? '-']),
          )
      }),
    )
}

function removeCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('remove'))
    .description('remove such a role')
    .argument('<name>', 'name of the role', roleName)
    .option('--json', 'print JSON')
    .action((name: string, options: Options) =>
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
      'It must be 1 to 63 lower-case letters, digits and _, and not begin with a digit or pg_.',
    )
  return text
}
