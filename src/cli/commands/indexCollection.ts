import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import { createNftQuery } from '../../nft/pages/createNftQuery.ts'
import type { CollectionState, NftQuery } from '../../nft/query.ts'
import { createDemand } from '../../nft/store/createDemand.ts'
import { readRates } from '../../nft/store/readingRate.ts'
import { collectionReport } from '../../service/admin/collectionReport.ts'
import { findChain } from '../../service/findChain.ts'
import type { NamedChain } from '../../sync/chainNames.ts'
import { runningServers } from '../../sync/leases/livingWorkers.ts'
import { commandWord } from '../../util/commandWord.ts'
import { MintmarkError, NotFoundError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { addCollectionArguments } from '../input/collectionArguments.ts'
import { describeCollection } from '../report/collectionReport.ts'
import { createProgress, type Progress } from '../report/createProgress.ts'

/** The collection that `--wait` waited for was not indexed. */
export class IndexingFailedError extends MintmarkError {
  readonly code = 'INDEXING_FAILED'
}

const pollMs = 500

export function indexCommand(context: CliContext): Command {
  const { print, signal } = context
  return addDatabaseOptions(addCollectionArguments(new Command('index'), { optional: false }))
    .description('index the NFTs of a contract on the running server')
    .option('--wait', 'wait until it is indexed')
    .option('--json', 'print JSON')
    .action(
      async (chainName: string, address: Address, options: ConfigOptions & { wait?: boolean; json?: boolean }) => {
        await withDatabase({ ...options, create: true }, context, async (db, config) => {
          const chain = await findChain({ db, config }, chainName)
          const query = createNftQuery({ db })
          const demand = createDemand({ db, ...config.demand })
          await demand.request(chain.id, [address], 0n)
          const nobodyWorks = (await runningServers(db)).length === 0
          if (nobodyWorks && options.wait)
            throw new IndexingFailedError(
              'it is queued, but no server runs: start one with "mintmark start" and wait again',
            )
          const state = options.wait
            ? await waitFor({ query, chain, address, progress: createProgress(print), signal })
            : await query.state(chain.id, address)
          if (!state) throw new NotFoundError(`${address} is not known any more`)
          const rate = (await readRates(db, [state])).get(state.id)
          if (options.json) print.json(collectionReport({ chain, address, state }, rate))
          else print.line(describeCollection(chain, address, state))
          if (nobodyWorks) print.note('no server runs on this database: the work begins with "mintmark start"')
          if (options.wait && (state.status === 'failed' || state.status === 'nocode'))
            throw new IndexingFailedError(
              state.status === 'failed'
                ? `the indexing failed, and the server tries again by itself: see "mintmark status ${commandWord(chain.name)} ${address}"`
                : 'the chain has no contract at this address: is it the right chain?',
            )
        })
      },
    )
}

type Wait = { query: NftQuery; chain: NamedChain; address: Address; progress: Progress; signal: AbortSignal }

async function waitFor({ query, chain, address, progress, signal }: Wait): Promise<CollectionState | undefined> {
  try {
    for (;;) {
      const state = await query.state(chain.id, address)
      if (!state || isOver(state)) return state
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

/** A failed collection may be tried again later by itself; the person who waits wants to know now. */
function isOver({ status, synced }: CollectionState): boolean {
  return status === 'live' ? synced : status !== 'queued' && status !== 'syncing'
}
