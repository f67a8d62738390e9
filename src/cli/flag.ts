import { Command, Option } from 'commander'
import { createNftQuery } from '../nft/createNftQuery.ts'
import { readVerdict, setOverrides } from '../nft/spam/verdict.ts'
import { findChain } from '../service/findChain.ts'
import type { Address } from '../util/hex.ts'
import { addCollectionArguments } from './collectionArguments.ts'
import { describeVerdict } from './collectionReport.ts'
import { addDatabaseOptions, type ConfigOptions } from './configOptions.ts'
import type { CliContext } from './context.ts'
import { notAskedFor } from './notAskedFor.ts'
import { withDatabase } from './withDatabase.ts'

type Word = 'yes' | 'no' | 'auto'
type FlagOptions = ConfigOptions & { spam?: Word; verified?: Word; json?: boolean }

export function flagCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(addCollectionArguments(new Command('flag'), { optional: false }))
    .description('say whether a collection is spam or verified, over all lists and rules')
    .addOption(wordOption('--spam <word>', 'possible_spam of the collection; auto: what lists and rules say'))
    .addOption(wordOption('--verified <word>', 'verified_collection; auto: what lists say'))
    .option('--json', 'print JSON')
    .action(async (chainName: string, address: Address, options: FlagOptions, command: Command) => {
      if (options.spam === undefined && options.verified === undefined)
        command.error('nothing to say: name --spam or --verified')
      await withDatabase(options, context, async (db, config) => {
        const chain = await findChain({ db, config }, chainName)
        const state = await createNftQuery({ db }).state(chain.id, address)
        if (state) await setOverrides(db, state, { spam: override(options.spam), verified: override(options.verified) })
        const verdict = state && (await readVerdict(db, state))
        if (!verdict) throw notAskedFor(chain, address)
        if (options.json) print.json({ chain: chain.name, address, ...verdict })
        else for (const line of describeVerdict(verdict)) print.line(line)
      })
    })
}

function wordOption(flags: string, description: string): Option {
  return new Option(flags, description).choices(['yes', 'no', 'auto'])
}

function override(word: Word | undefined): boolean | null | undefined {
  return word === undefined ? undefined : word === 'auto' ? null : word === 'yes'
}
