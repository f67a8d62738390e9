import { Command, Option } from 'commander'
import { type FlagValue, flagValues } from '../../api/admin/collections.ts'
import { flagCollection, notIndexed } from '../../service/admin/oneCollection.ts'
import { findChain } from '../../service/findChain.ts'
import type { Address } from '../../util/hex.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { addCollectionArguments } from '../input/collectionArguments.ts'
import { describeVerdict } from '../report/collectionReport.ts'

type FlagOptions = ConfigOptions & { spam?: FlagValue; verified?: FlagValue; json?: boolean }

export function flagCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(addCollectionArguments(new Command('flag'), { optional: false }))
    .description('mark a collection as spam or verified (overrides lists and rules)')
    .addOption(flagOption('--spam <word>', 'value of possible_spam; auto: lists and rules decide'))
    .addOption(flagOption('--verified <word>', 'value of verified_collection; auto: lists decide'))
    .option('--json', 'print JSON')
    .action(async (chainName: string, address: Address, options: FlagOptions, command: Command) => {
      if (options.spam === undefined && options.verified === undefined)
        command.error('nothing to change: give --spam or --verified')
      await withDatabase(options, context, async (db, config) => {
        const chain = await findChain({ db, config }, chainName)
        const verdict = await flagCollection(db, { chainId: chain.id, address }, options)
        if (!verdict) throw notIndexed(chain, address, 'command')
        if (options.json) print.json({ chain: chain.name, address, ...verdict })
        else for (const line of describeVerdict(verdict)) print.line(line)
      })
    })
}

function flagOption(flags: string, description: string): Option {
  return new Option(flags, description).choices(flagValues)
}
