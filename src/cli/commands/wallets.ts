import { Command, Option } from 'commander'
import { demandLimits } from '../../config/resolveChains.ts'
import { createWalletDemand } from '../../nft/walletHistory/createWalletDemand.ts'
import {
  describeOmitted,
  type ListedWallet,
  listWallets,
  removeWallet,
  showWallet,
} from '../../nft/walletHistory/walletList.ts'
import { findChain, readChainNames } from '../../service/findChain.ts'
import { isBurnAddress } from '../../util/burnAddresses.ts'
import { NotFoundError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import { addYesOption, type ConfirmOptions, confirm } from '../context/confirm.ts'
import type { CliContext } from '../context/context.ts'
import { requestAll } from '../context/requestAll.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { chainArgument, parseAddress } from '../input/collectionArguments.ts'
import { wholeNumber } from '../input/parseArgument.ts'
import { readAddresses } from '../input/readAddresses.ts'
import { createProgress } from '../report/createProgress.ts'
import { counted } from '../report/print.ts'

type Json = { json?: boolean }

const statuses = ['queued', 'syncing', 'live', 'failed', 'idle', 'full']

export function walletsCommand(context: CliContext): Command {
  return new Command('wallets')
    .description('wallets that are indexed over all contracts of their chain')
    .addCommand(listCommand(context))
    .addCommand(showCommand(context))
    .addCommand(indexCommand(context))
    .addCommand(removeCommand(context))
}

/** Bigints as text, as JSON has none. */
function report(chain: string, wallet: ListedWallet & { tokens?: bigint; contracts?: bigint }) {
  const { chainId: _, address, status, reason, requestedAt, askedAt, ...numbers } = wallet
  const texts = Object.entries(numbers).map(([name, value]) => [name, value === null ? null : String(value)])
  return { chain, address, status, reason, requestedAt, askedAt, ...Object.fromEntries(texts) }
}

function listCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('list'))
    .description('list wallets, by chain and address')
    .option('--chain <chain>', `only wallets of a chain: ${chainArgument}`)
    .addOption(new Option('--status <status>', 'only wallets in this status').choices(statuses))
    .option('--limit <number>', 'maximum number of rows', wholeNumber(10_000), 100)
    .option('--json', 'print JSON')
    .action((options: ConfigOptions & Json & { chain?: string; status?: string; limit: number }) =>
      withDatabase(options, context, async (db, config) => {
        const { chain, status = null, limit } = options
        const nameOf = await readChainNames({ db, config })
        const chainId = chain === undefined ? null : (await findChain({ db, config }, chain)).id
        const found = await listWallets(db, { chainId, status, limit: limit + 1 })
        const listed = found.slice(0, limit)
        const more = found.length > limit
        if (options.json)
          return print.json({ wallets: listed.map((wallet) => report(nameOf(wallet.chainId), wallet)), more })
        print.table(
          ['chain', 'address', 'status', 'to block', 'transfers', 'last request'],
          listed.map((wallet) => [
            ...[nameOf(wallet.chainId), wallet.address, wallet.status, String(wallet.toBlock ?? '-')],
            ...[String(wallet.transfers), wallet.askedAt.toISOString()],
          ]),
          { none: 'no wallets', more },
        )
      }),
    )
}

const addWalletArguments = (command: Command) =>
  command.argument('<chain>', chainArgument).argument('<address>', 'address of the wallet', parseAddress)

const notIndexed = (chain: string, wallet: Address) =>
  new NotFoundError(`${wallet} of ${chain} is not indexed over all contracts: see "mintmark wallets index"`)

function showCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(addWalletArguments(new Command('show')))
    .description('show a wallet: status, coverage, tokens and omissions')
    .option('--json', 'print JSON')
    .action((chainName: string, wallet: Address, options: ConfigOptions & Json) =>
      withDatabase(options, context, async (db, config) => {
        const chain = await findChain({ db, config }, chainName)
        const found = await showWallet(db, chain.id, wallet)
        if (!found) throw notIndexed(chain.name, wallet)
        if (options.json) return print.json(report(chain.name, found))
        const { status, reason, tokens, contracts, transfers, fromBlock, toBlock, headBlock } = found
        print.line(`${wallet} of ${chain.name}: ${status}${reason === null ? '' : ` (${reason})`}`)
        print.line(`blocks ${fromBlock ?? '-'} to ${toBlock ?? '-'} of ${headBlock ?? '-'}`)
        print.line(
          `${counted(tokens, 'token')} of ${counted(contracts, 'contract')}, ${counted(transfers, 'transfer')}`,
        )
        const omitted = describeOmitted(found)
        if (omitted !== null) print.line(`omitted: ${omitted}`)
      }),
    )
}

function indexCommand(context: CliContext): Command {
  const { print, signal } = context
  return addDatabaseOptions(new Command('index'))
    .description('index wallets over all contracts of their chain on the running server')
    .argument('<chain>', chainArgument)
    .argument('[address]', 'address of the wallet', parseAddress)
    .option('--from <file>', 'wallets of a file, one per line or in the first column of a CSV')
    .option('--json', 'print JSON')
    .action(
      (chainName: string, wallet: Address | undefined, options: ConfigOptions & Json & { from?: string }, command) => {
        const { from } = options
        if ((wallet === undefined) === (from === undefined)) command.error('give either ADDRESS or --from FILE')
        return withDatabase({ ...options, create: true }, context, async (db, config) => {
          const chain = await findChain({ db, config }, chainName)
          const given = from === undefined ? [wallet!] : await readAddresses(from)
          const addresses = given.filter((one) => from === undefined || !isBurnAddress(one))
          if (addresses.length < given.length)
            print.note(`burn addresses, which are not requested: ${given.length - addresses.length}`)
          const demand = createWalletDemand({ db, ...demandLimits(config) })
          const progress = createProgress(print)
          const request = async ([one]: readonly Address[]) => demand.request(chain.id, one!, 0n)
          await requestAll({ addresses, request, atOnce: 1, progress, signal }).finally(progress.stop)
          if (options.json) return print.json({ chain: chain.name, requested: addresses.length })
          print.line(`${counted(addresses.length, 'wallet')} of ${chain.name} requested`)
        })
      },
    )
}

function removeCommand(context: CliContext): Command {
  return addYesOption(addDatabaseOptions(addWalletArguments(new Command('remove'))))
    .description('remove a wallet with all of its data; the next request indexes it again')
    .option('--json', 'print JSON')
    .action((chainName: string, wallet: Address, options: ConfigOptions & ConfirmOptions & Json) =>
      withDatabase(options, context, async (db, config) => {
        const chain = await findChain({ db, config }, chainName)
        if (!(await showWallet(db, chain.id, wallet))) throw notIndexed(chain.name, wallet)
        await confirm(context, options, `all data of ${wallet} on ${chain.name} is removed`)
        if (!(await removeWallet(db, chain.id, wallet))) throw notIndexed(chain.name, wallet)
        if (options.json) return context.print.json({ chain: chain.name, address: wallet })
        context.print.line(`${wallet} of ${chain.name} is removed`)
      }),
    )
}
