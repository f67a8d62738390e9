import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import { demandLimits } from '../../config/resolveChains.ts'
import { createNftQuery } from '../../nft/pages/createNftQuery.ts'
import type { CollectionState, NftQuery } from '../../nft/query.ts'
import { createDemand } from '../../nft/store/createDemand.ts'
import { collectionHistory, retryNowOf } from '../../nft/store/historyQueue.ts'
import { readRates } from '../../nft/store/readingRate.ts'
import { collectionReport } from '../../service/admin/collectionReport.ts'
import { findChain } from '../../service/findChain.ts'
import type { NamedChain } from '../../sync/chainNames.ts'
import { readPausedChains } from '../../sync/leases/lease.ts'
import { runningServers } from '../../sync/leases/livingWorkers.ts'
import { commandWord } from '../../util/commandWord.ts'
import { MintmarkError, NotFoundError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { requestAll } from '../context/requestAll.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { chainArgument, parseAddress } from '../input/collectionArguments.ts'
import { readAddresses } from '../input/readAddresses.ts'
import { describeCollection } from '../report/collectionReport.ts'
import { createProgress, type Progress } from '../report/createProgress.ts'
import { counted } from '../report/print.ts'

/** The collection that `--wait` waited for was not indexed. */
export class IndexingFailedError extends MintmarkError {
  readonly code = 'INDEXING_FAILED'
}

const pollMs = 500

export function indexCommand(context: CliContext): Command {
  const { print, signal } = context
  return addDatabaseOptions(addIndexArguments(new Command('index')))
    .description('index the NFTs of a contract, or of all contracts in a file, on the running server')
    .option('--from <file>', 'contracts of a file, one per line or in the first column of a CSV; safe to run again')
    .option('--wait', 'wait until the contract is indexed')
    .option('--json', 'print JSON')
    .action(
      async (
        chainName: string,
        address: Address | undefined,
        options: ConfigOptions & { wait?: boolean; json?: boolean; from?: string },
        command: Command,
      ) => {
        const { from } = options
        if (from !== undefined) {
          if (address !== undefined || options.wait) command.error('--from takes neither ADDRESS nor --wait')
          return indexFile(chainName, from, options, context)
        }
        if (address === undefined) return command.error('give either ADDRESS or --from FILE')
        await withDatabase({ ...options, create: true }, context, async (db, config) => {
          const chain = await findChain({ db, config }, chainName)
          const query = createNftQuery({ db })
          const demand = createDemand({ db, ...demandLimits(config) })
          await demand.request(chain.id, [address], 0n)
          if (options.wait && (await readPausedChains(db)).has(chain.id))
            throw new IndexingFailedError(
              `the contract is queued, but its chain is paused: run "mintmark chains resume ${commandWord(chain.name)}"`,
            )
          const nobodyWorks = (await runningServers(db)).length === 0
          if (nobodyWorks && options.wait)
            throw new IndexingFailedError(
              'the contract is queued, but no server runs: start one with "mintmark start", then run this command again',
            )
          const known = await query.state(chain.id, address)
          const retryAt = known && (await retryNowOf(db, collectionHistory, known))
          const state = options.wait
            ? await waitFor({ query, chain, address, retryAt, progress: createProgress(print), signal })
            : await query.state(chain.id, address)
          if (!state) throw new NotFoundError(`${address} was removed`)
          const rate = (await readRates(db, [state])).get(state.id)
          if (options.json) print.json(collectionReport({ chain, address, state }, rate))
          else print.line(describeCollection(chain, address, state))
          if (nobodyWorks) print.note('no server runs on this database: indexing begins with "mintmark start"')
          if (options.wait && (state.status === 'failed' || state.status === 'nocode'))
            throw new IndexingFailedError(
              state.status === 'failed'
                ? `indexing failed, and the server retries automatically: see "mintmark status ${commandWord(chain.name)} ${address}"`
                : 'the chain has no contract at this address: is it the right chain?',
            )
        })
      },
    )
}

const addIndexArguments = (command: Command) =>
  command.argument('<chain>', chainArgument).argument('[address]', 'address of the contract', parseAddress)

/** Contracts per transaction. */
const atOnce = 100

async function indexFile(
  chainName: string,
  path: string,
  options: ConfigOptions & { json?: boolean },
  context: CliContext,
): Promise<void> {
  const { print, signal } = context
  await withDatabase({ ...options, create: true }, context, async (db, config) => {
    const chain = await findChain({ db, config }, chainName)
    const addresses = await readAddresses(path)
    const demand = createDemand({ db, ...demandLimits(config) })
    const progress = createProgress(print)
    const request = (part: readonly Address[]) => demand.request(chain.id, part, 0n)
    await requestAll({ addresses, request, atOnce, progress, signal }).finally(progress.stop)
    if (options.json) print.json({ chain: chain.name, requested: addresses.length })
    else print.line(`${counted(addresses.length, 'contract')} of ${chain.name} requested`)
  })
}

type Wait = {
  query: NftQuery
  chain: NamedChain
  address: Address
  /** Next retry of a collection that failed before the command; undefined: it had not failed. */
  retryAt: number | undefined
  progress: Progress
  signal: AbortSignal
}

async function waitFor({
  query,
  chain,
  address,
  retryAt,
  progress,
  signal,
}: Wait): Promise<CollectionState | undefined> {
  try {
    for (;;) {
      const state = await query.state(chain.id, address)
      if (!state || (isOver(state) && state.retryAt !== retryAt)) return state
      progress.update(state.progress, describeProgress(state))
      await delay(pollMs, undefined, { signal })
    }
  } finally {
    progress.stop()
  }
}

function describeProgress({ status, tokens, toBlock, headBlock }: CollectionState): string {
  return `${status}, ${tokens} tokens, block ${toBlock ?? '-'} of ${headBlock ?? '-'}`
}

/** A failed collection may be retried automatically, but `--wait` ends with its failure. */
function isOver({ status, synced }: CollectionState): boolean {
  return status === 'live' ? synced : status !== 'queued' && status !== 'syncing'
}
