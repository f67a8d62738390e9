import { Command } from 'commander'
import type { Database } from '../../db/database.ts'
import { stateOf } from '../../service/chainOverview.ts'
import { findChain, readChainNames } from '../../service/findChain.ts'
import { listChains } from '../../service/listChains.ts'
import { type ChainReset, countReset } from '../../service/resetChain.ts'
import type { NamedChain } from '../../sync/chainNames.ts'
import { headAgeOf } from '../../sync/headAge.ts'
import { pauseChain, resumeChain } from '../../sync/leases/lease.ts'
import { runningServers } from '../../sync/leases/livingWorkers.ts'
import { commandWord } from '../../util/commandWord.ts'
import { NotFoundError } from '../../util/errors.ts'
import { quantity } from '../../util/hex.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import { addYesOption, type ConfirmOptions, confirm } from '../context/confirm.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { chainArgument } from '../input/collectionArguments.ts'
import { describeHeadAge, headAgeSeconds } from '../report/networkOverview.ts'
import { counted } from '../report/print.ts'

type Options = ConfigOptions & { json?: boolean }

export function chainsCommand(context: CliContext): Command {
  return new Command('chains')
    .description('EVM chains')
    .addCommand(listCommand(context))
    .addCommand(pauseCommand(context))
    .addCommand(resumeCommand(context))
    .addCommand(resetCommand(context))
}

/** Input of a chain command. */
type Chosen<O> = { db: Database; chain: NamedChain; options: O }

function chainCommand<O extends Options>(
  context: CliContext,
  name: string,
  work: (chosen: Chosen<O>) => Promise<void>,
): Command {
  return addDatabaseOptions(new Command(name))
    .argument('<chain>', chainArgument)
    .option('--json', 'print JSON')
    .action((chainName: string, options: O) =>
      withDatabase(options, context, async (db, config) =>
        work({ db, chain: await findChain({ db, config }, chainName), options }),
      ),
    )
}

function listCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('list'))
    .description('list chains with sync status and endpoints')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withDatabase(options, context, async (db, config) => {
        const nameOf = await readChainNames({ db, config })
        const isServed = (await runningServers(db)).length > 0
        const chains = (await listChains(db)).map((chain) => {
          const { id, block, head, finalized, pausedAt, collections, streams } = chain
          return {
            chain: nameOf(id),
            id: quantity(id),
            block,
            head,
            finalized,
            headAgeSeconds: headAgeSeconds(headAgeOf(chain)),
            pausedAt,
            collections,
            streams,
            failure: stateOf(chain, isServed),
          }
        })
        if (options.json) return print.json({ chains })
        print.table(
          ['chain', 'id', 'block', 'head', 'head seen', 'collections', 'streams', 'state'],
          chains.map((c) => [
            c.chain,
            c.id,
            String(c.block ?? '-'),
            String(c.head ?? '-'),
            describeHeadAge(c.headAgeSeconds),
            String(c.collections),
            String(c.streams),
            c.failure ?? 'good',
          ]),
          { none: 'no chains' },
        )
      }),
    )
}

function pauseCommand(context: CliContext): Command {
  const { print } = context
  return chainCommand(context, 'pause', async ({ db, chain, options }) => {
    // The change and the report share a transaction: nothing changes if the report fails, as while a node of a cluster
    // is unreachable.
    const { changed, found } = await db.transaction(async ({ fresh }) => ({
      changed: await pauseChain(fresh, chain.id),
      found: (await listChains(fresh)).find(({ id }) => id === chain.id),
    }))
    const { collections = 0n, streams = 0n } = found ?? {}
    if (options.json) return print.json({ chain: chain.name, paused: true, changed, collections, streams })
    print.line(
      `${chain.name} ${changed ? 'is paused' : 'was already paused'}: ${counted(collections, 'collection')} and ${counted(streams, 'stream')} stop until "mintmark chains resume ${commandWord(chain.name)}"`,
    )
  }).description('pause a chain until it is resumed; servers stop within seconds')
}

function resumeCommand(context: CliContext): Command {
  const { print } = context
  return chainCommand(context, 'resume', async ({ db, chain, options }) => {
    const changed = await resumeChain(db, chain.id)
    if (options.json) print.json({ chain: chain.name, paused: false, changed })
    else print.line(changed ? `${chain.name} is resumed` : `${chain.name} was not paused`)
  }).description('resume a paused chain from its position')
}

function describeReset({ collections, wallets, streams }: ChainReset): string {
  if (collections + wallets + streams === 0) return 'it has no collections, wallets and streams'
  return `${counted(collections, 'collection')}, ${counted(wallets, 'wallet')} and ${counted(streams, 'stream')} start again at its first block`
}

function resetCommand(context: CliContext): Command {
  const { print } = context
  const command = chainCommand<Options & ConfirmOptions>(context, 'reset', async ({ db, chain, options }) => {
    const nothing = new NotFoundError(`there is no data of ${chain.name} to reset`)
    const stored = (await listChains(db)).find(({ id }) => id === chain.id)
    if (!stored) throw nothing
    const planned = await countReset(db, chain.id)
    const holdsData = stored.head !== null || planned.collections + planned.wallets + planned.streams > 0
    if (holdsData) await confirm(context, options, `all data of ${chain.name} is removed: ${describeReset(planned)}`)
    // Imported on demand: other commands start faster without delivery code.
    const { resetChain } = await import('../../service/resetChain.ts')
    const reset = await resetChain(db, chain.id)
    if (!reset) throw nothing
    if (options.json) print.json({ chain: chain.name, ...reset })
    else print.line(`${chain.name} is reset: ${describeReset(reset)}`)
    if (stored.pausedAt !== null)
      print.note(`${chain.name} is still paused: resume it with "mintmark chains resume ${commandWord(chain.name)}"`)
  })
  return addYesOption(command).description(
    'remove all data of a recreated chain and start again; servers may run meanwhile',
  )
}
