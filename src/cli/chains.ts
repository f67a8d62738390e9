import { Command } from 'commander'
import { NotFoundError } from '../errors.ts'
import { addDatabaseOptions, type ConfigOptions } from './configOptions.ts'
import type { CliContext } from './context.ts'
import { chainArgument, findChain } from './findChain.ts'
import { withDatabase } from './withDatabase.ts'

export function chainsCommand(context: CliContext): Command {
  return new Command('chains').description('EVM chains').addCommand(resetCommand(context))
}

function resetCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('reset'))
    .description('remove what is stored of a chain that was started again, and begin anew; servers may run meanwhile')
    .argument('<chain>', chainArgument)
    .option('--json', 'print JSON')
    .action((name: string, options: ConfigOptions & { json?: boolean }) =>
      withDatabase(options, context, async (db, config) => {
        const chain = await findChain({ db, config }, name)
        // Only here: every other command starts faster without what matches and sends webhooks.
        const { resetChain } = await import('../service/resetChain.ts')
        const reset = await resetChain(db, chain.id)
        if (!reset) throw new NotFoundError(`nothing is stored of ${chain.name}: there is nothing to reset`)
        if (options.json) print.json({ chain: chain.name, ...reset })
        else
          print.line(
            `${chain.name} begins anew: ${reset.collections} collections are queued, ${reset.streams} streams begin with its first block`,
          )
      }),
    )
}
