import { Command, Option } from 'commander'
import type { Config } from '../../config/config.ts'
import type { Database, Sql } from '../../db/database.ts'
import {
  type CollectionFilter,
  type ListedCollection,
  listCollections,
} from '../../nft/pages/collections/collectionList.ts'
import { createNftQuery } from '../../nft/pages/createNftQuery.ts'
import { type CollectionStatus, collectionStatuses, type DiscoveredOrder, discoveredOrders } from '../../nft/query.ts'
import { type ListedKnown, listKnown } from '../../nft/store/knownContracts.ts'
import { readRates } from '../../nft/store/readingRate.ts'
import { removeRows } from '../../nft/store/removals.ts'
import { deleteCollection } from '../../nft/store/requeueCollections.ts'
import { collectionDetailReport, collectionReport } from '../../service/admin/collectionReport.ts'
import { createDiscoveredList } from '../../service/admin/listDiscovered.ts'
import { notIndexed, readCollection } from '../../service/admin/oneCollection.ts'
import { findChain, readChainNames } from '../../service/findChain.ts'
import type { Address } from '../../util/hex.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import { addYesOption, type ConfirmOptions, confirm } from '../context/confirm.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { addCollectionArguments, chainArgument } from '../input/collectionArguments.ts'
import { wholeNumber } from '../input/parseArgument.ts'
import { countMs, describeDetail, hostRows } from '../report/collectionReport.ts'
import { counted, type Print } from '../report/print.ts'

type Json = { json?: boolean }
type ListOptions = ConfigOptions &
  Json & {
    chain?: string
    status?: CollectionStatus
    search?: string
    known?: boolean
    order?: DiscoveredOrder
    limit: number
  }

export function collectionsCommand(context: CliContext): Command {
  return new Command('collections')
    .description('collections of NFTs')
    .addCommand(listCommand(context))
    .addCommand(showCommand(context))
    .addCommand(removingCommand(context, { name: 'delete', requeue: false }))
    .addCommand(removingCommand(context, { name: 'reindex', requeue: true }))
}

function listCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('list'))
    .description('list stored collections, by chain and address')
    .option('--chain <chain>', `only collections of a chain: ${chainArgument}`)
    .addOption(new Option('--status <status>', 'only collections in this status').choices(collectionStatuses))
    .option(
      '--known',
      'list contracts that are known from wallets or new blocks but not indexed, instead of collections',
    )
    .addOption(
      new Option(
        '--order <order>',
        'list contracts of new blocks (chains with discover) instead: first_seen: newest first; activity: most transfers first',
      )
        .choices(discoveredOrders)
        .conflicts(['known', 'status', 'search']),
    )
    .option('--search <text>', 'only collections whose name contains this text, or whose address begins with it')
    .option('--limit <number>', 'maximum number of rows', wholeNumber(10_000), 100)
    .option('--json', 'print JSON')
    .action((options: ListOptions) =>
      withDatabase(options, context, async (db, config) => {
        const { chain, status = null, search = null, limit } = options
        const nameOf = await readChainNames({ db, config })
        if (options.order) return printDiscovered(context, { db, config }, { ...options, order: options.order })
        const chainId = chain === undefined ? null : (await findChain({ db, config }, chain)).id
        if (options.known)
          return printKnown(print, await listKnown(db, { chainId, limit: limit + 1 }), { nameOf, ...options })
        const found = await readCollections(db, { chainId, status, search }, limit + 1)
        const rates = await readRates(
          db,
          found.map(({ state }) => state),
        )
        const listed = found
          .slice(0, limit)
          .map(({ chainId: id, address, state }) =>
            collectionReport({ chain: { id, name: nameOf(id) }, address, state }, rates.get(state.id)),
          )
        const more = found.length > limit
        if (options.json) return print.json({ collections: listed, more })
        print.table(
          ['chain', 'address', 'status', 'read', 'tokens', 'metadata', 'name'],
          listed.map((c) => [
            c.chain,
            c.address,
            c.status,
            percent(c.progress),
            c.tokens,
            percent(c.metadataProgress),
            c.name?.slice(0, 60) ?? '-',
          ]),
          { none: 'no collections', more },
        )
      }),
    )
}

async function printDiscovered(
  { print }: CliContext,
  of: { db: Database; config: Config },
  { chain, order, limit, json = false }: ListOptions & { order: DiscoveredOrder },
): Promise<void> {
  const { items, next } = await createDiscoveredList(of)({ chain: chain ?? null, order, limit, after: null })
  const more = next !== null
  if (json) return print.json({ contracts: items, more })
  print.table(
    ['chain', 'address', 'status', 'first seen', 'transfers/day', 'mints/day', 'name', 'spam'],
    items.map(({ discovery, ...c }) => [
      ...[
        c.chain,
        c.address,
        c.status,
        discovery?.firstSeenAt ?? '-',
        discovery?.transfers ?? '-',
        discovery?.mints ?? '-',
      ],
      ...[c.name?.slice(0, 60) ?? '-', c.possibleSpam ? 'yes' : 'no'],
    ]),
    { none: 'no contracts', more },
  )
}

function printKnown(
  print: Print,
  found: readonly ListedKnown[],
  { nameOf, limit, json = false }: { nameOf: (id: bigint) => string; limit: number; json?: boolean },
): void {
  const known = found.slice(0, limit).map(({ chainId, ...contract }) => ({ chain: nameOf(chainId), ...contract }))
  const more = found.length > limit
  const rows = known.map(({ chain, address, standard, name, possibleSpam }) => [
    ...[chain, address, standard ?? '-', name?.slice(0, 60) ?? '-', possibleSpam ? 'yes' : 'no'],
  ])
  if (json) print.json({ known, more })
  else print.table(['chain', 'address', 'standard', 'name', 'spam'], rows, { none: 'no known contracts', more })
}

/** The first collections of the list, at most `most`. */
async function readCollections(sql: Sql, filter: CollectionFilter, most: number): Promise<ListedCollection[]> {
  const found: ListedCollection[] = []
  let after: Awaited<ReturnType<typeof listCollections>>['next'] = null
  do {
    const page = await listCollections(sql, { ...filter, limit: most - found.length, after })
    for (const collection of page.collections) found.push(collection)
    after = page.next
  } while (after && found.length < most)
  return found
}

function showCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(addCollectionArguments(new Command('show'), { optional: false }))
    .description('show a collection: sync status, metadata by state, and metadata hosts')
    .option('--json', 'print JSON')
    .action((chainName: string, address: Address, options: ConfigOptions & Json) =>
      withDatabase(options, context, async (db, config) => {
        const chain = await findChain({ db, config }, chainName)
        const found = await readCollection(db, { chainId: chain.id, address }, { countMs })
        if (!found) throw notIndexed(chain, address, 'command')
        const { state, detail } = found
        if (options.json) return print.json(collectionDetailReport({ chain, address, state }, detail))
        for (const line of describeDetail(chain, address, found)) print.line(line)
        const { hosts } = detail
        if (!hosts || hosts.length === 0) return
        print.line()
        print.table(['metadata host', 'state', 'tokens waiting', 'last error', 'next attempt'], hostRows(hosts))
      }),
    )
}

const removing = {
  delete: 'remove a collection with all of its data; the next request indexes it again',
  reindex: 'remove all data of a collection and index it from the beginning',
}

function removingCommand(
  context: CliContext,
  { name, requeue }: { name: keyof typeof removing; requeue: boolean },
): Command {
  const { print } = context
  return addYesOption(addDatabaseOptions(addCollectionArguments(new Command(name), { optional: false })))
    .description(removing[name])
    .option('--json', 'print JSON')
    .action((chainName: string, address: Address, options: ConfigOptions & Json & ConfirmOptions) =>
      withDatabase(options, context, async (db, config) => {
        const chain = await findChain({ db, config }, chainName)
        const state = await createNftQuery({ db }).state(chain.id, address)
        if (!state) throw notIndexed(chain, address, 'command')
        const then = requeue ? 'and the collection is indexed again' : 'and the collection is removed'
        await confirm(
          context,
          options,
          `all data of ${address} on ${chain.name} (${counted(state.tokens, 'token')}) is removed, ${then}`,
        )
        const taken = await deleteCollection(db, { chainId: chain.id, address, requeue, held: true })
        if (!taken) throw notIndexed(chain, address, 'command')
        const removed = await removeRows(db, taken, context.signal)
        if (options.json) return print.json({ chain: chain.name, address, ...removed, queued: requeue })
        const { tokens, transfers } = removed
        print.line(
          `${address} of ${chain.name}: ${counted(tokens, 'token')} and ${counted(transfers, 'transfer')} are removed, ${requeue ? 'it is queued again' : 'the collection is removed'}`,
        )
      }),
    )
}

function percent(part: number): string {
  return `${Math.floor(part * 100)} %`
}
