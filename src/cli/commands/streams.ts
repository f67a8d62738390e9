import { Command, InvalidArgumentError, Option } from 'commander'
import type { Database } from '../../db/database.ts'
import { readChainNames } from '../../service/findChain.ts'
import { readStarts } from '../../stream/definition/streamChain.ts'
import {
  type EffectiveBlocks,
  type StreamDemand,
  type StreamRecord,
  type StreamStatus,
  streamStatuses,
} from '../../stream/demand.ts'
import { createStreamQuery } from '../../stream/ledger/answers/createStreamQuery.ts'
import { countQueued } from '../../stream/ledger/streamState.ts'
import {
  type DeliveryPlace,
  type ListedDelivery,
  type StreamQuery,
  type WebhookStatus,
  webhookStatuses,
} from '../../stream/query.ts'
import { streamPartition } from '../../sync/partition.ts'
import { quantity } from '../../util/hex.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import { addYesOption, type ConfirmOptions, confirm } from '../context/confirm.ts'
import type { CliContext } from '../context/context.ts'
import { openStreams } from '../context/openStreams.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { wholeNumber } from '../input/parseArgument.ts'
import { chainsOf, describeStream, watched, withoutSecret } from '../report/streamReport.ts'

type Options = ConfigOptions & { json?: boolean }
type ListOptions = Options & { status?: StreamStatus; limit: number }
type HistoryOptions = Options & { status?: WebhookStatus; limit: number }

/** Input of a stream command. */
type Work = { db: Database; streams: StreamDemand; nameOf: (chainId: bigint) => string }

export function streamsCommand(context: CliContext): Command {
  return new Command('streams')
    .description('streams and their webhooks')
    .addCommand(listCommand(context))
    .addCommand(showCommand(context))
    .addCommand(pauseCommand(context))
    .addCommand(resumeCommand(context))
    .addCommand(deleteCommand(context))
    .addCommand(historyCommand(context))
}

function withStreams(options: Options, context: CliContext, work: (given: Work) => Promise<void>): Promise<void> {
  return withDatabase(options, context, async (db, config) =>
    work({ db, streams: openStreams(db, config), nameOf: await readChainNames({ db, config }) }),
  )
}

function streamCommand(name: string): Command {
  return addDatabaseOptions(new Command(name)).argument(
    '<id>',
    'id of the stream, from "mintmark streams list"',
    streamId,
  )
}

function listCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('list'))
    .description('list streams in order of creation')
    .addOption(new Option('--status <status>', 'only streams in this status').choices(streamStatuses))
    .option('--limit <number>', 'maximum number of rows', wholeNumber(10_000), 100)
    .option('--json', 'print JSON')
    .action((options: ListOptions) =>
      withStreams(options, context, async ({ streams, nameOf }) => {
        const { status, limit } = options
        const found = await firstStreams(streams, limit + 1, status)
        const listed = found.slice(0, limit)
        const more = found.length > limit
        if (options.json) return print.json({ streams: listed.map(withoutSecret), more })
        print.table(
          ['id', 'status', 'chains', 'addresses', 'tag', 'webhooks go to'],
          listed.map((s) => [s.id, s.status, chainsOf(s, nameOf), watched(s), s.tag.slice(0, 40), s.webhookUrl]),
          { none: 'no streams', more },
        )
      }),
    )
}

function showCommand(context: CliContext): Command {
  const { print } = context
  return streamCommand('show')
    .description('show a stream: definition, counters and pending webhooks')
    .option('--json', 'print JSON')
    .action((id: string, options: Options) =>
      withStreams(options, context, async ({ db, streams, nameOf }) => {
        const stream = await streams.get(id)
        const stats = await createStreamQuery({ db }).stats(id)
        const pending = await countPending(db, id)
        const starts = [...(await readStarts(db, { partition: streamPartition(id), id }))]
        if (options.json) {
          const startBlocks = Object.fromEntries(starts.map(([chainId, block]) => [quantity(chainId), String(block)]))
          return print.json({ ...withoutSecret(stream), stats, webhooksOwed: pending, startBlocks })
        }
        print.line(describeStream(stream))
        print.line(`on ${chainsOf(stream, nameOf)}, ${watched(stream)} addresses, tag ${JSON.stringify(stream.tag)}`)
        for (const [chainId, block] of starts) print.line(`${nameOf(chainId)}: will start at block ${block}`)
        print.line(`webhooks go to ${stream.webhookUrl}`)
        if (!stats) return
        const { totalWebhooksDelivered, totalWebhooksFailed, totalLogsProcessed, totalTxsProcessed } = stats
        print.line(
          `${totalWebhooksDelivered} webhooks delivered, ${totalWebhooksFailed} attempts failed, ${pending} webhooks pending; ${totalLogsProcessed} logs and ${totalTxsProcessed} transactions`,
        )
      }),
    )
}

function pauseCommand(context: CliContext): Command {
  return streamCommand('pause')
    .description('pause a stream until it is resumed; it keeps its position')
    .option('--json', 'print JSON')
    .action((id: string, options: Options) =>
      withStreams(options, context, async (given) => {
        const changed = await given.streams.setStatus(id, 'paused')
        await printChange(context, { ...given, changed, options, pending: 'are pending', blocks: 'will resume at' })
      }),
    )
}

function resumeCommand(context: CliContext): Command {
  return streamCommand('resume')
    .description('resume a stream that is paused or in error, and send its pending webhooks')
    .addOption(
      new Option('--from <place>', 'pause: from the block at which it was paused; now: from the next block')
        .choices(['pause', 'now'])
        .default('pause'),
    )
    .option('--json', 'print JSON')
    .action((id: string, options: Options & { from: 'pause' | 'now' }) =>
      withStreams(options, context, async (given) => {
        const changed = await given.streams.setStatus(id, 'active', options.from)
        await printChange(context, { ...given, changed, options, pending: 'are sent now', blocks: 'resumes at' })
      }),
    )
}

function deleteCommand(context: CliContext): Command {
  const { print } = context
  return addYesOption(streamCommand('delete'))
    .description('delete a stream; pending webhooks are dropped, history and statistics stay')
    .option('--json', 'print JSON')
    .action((id: string, options: Options & ConfirmOptions) =>
      withStreams(options, context, async ({ db, streams }) => {
        const { tag, amountOfAddresses } = await streams.get(id)
        const pending = await countPending(db, id)
        await confirm(
          context,
          options,
          `stream ${id} (tag ${JSON.stringify(tag)}) is deleted, with ${amountOfAddresses} addresses and ${pending} pending webhooks`,
        )
        const stream = await streams.remove(id)
        if (options.json) return print.json({ ...withoutSecret(stream), deleted: true, webhooksDropped: pending })
        print.line(`stream ${id} is deleted: ${stream.amountOfAddresses} addresses, ${pending} webhooks dropped`)
      }),
    )
}

function historyCommand(context: CliContext): Command {
  const { print } = context
  return streamCommand('history')
    .description('list the webhooks of a stream, latest first')
    .addOption(new Option('--status <status>', 'only webhooks in this status').choices(webhookStatuses))
    .option('--limit <number>', 'maximum number of rows', wholeNumber(10_000), 20)
    .option('--json', 'print JSON')
    .action((streamId: string, options: HistoryOptions) =>
      withStreams(options, context, async ({ db, streams, nameOf }) => {
        const query = createStreamQuery({ db })
        // The webhooks of a deleted stream stay readable.
        if (!(await query.stats(streamId))) await streams.get(streamId)
        const { status = null, limit } = options
        const { items, total, more } = await firstWebhooks(query, { limit, streamId, status })
        if (options.json) return print.json({ webhooks: items, total, more })
        print.table(
          ['id', 'created', 'chain', 'block', 'kind', 'status', 'failed attempts', 'error'],
          items.map(({ id, date, tinyPayload: t, kind, status: webhookStatus, errorMessage }) => [
            id,
            date,
            nameOf(BigInt(t.chainId)),
            t.block,
            kind,
            webhookStatus,
            String(t.retries),
            errorMessage.slice(0, 100) || '-',
          ]),
          { none: 'no webhooks' },
        )
        if (more) print.note(`${items.length} of ${total}: raise --limit for more`)
      }),
    )
}

/** The first `count` streams, optionally of one status. */
async function firstStreams(streams: StreamDemand, count: number, status: StreamStatus | undefined) {
  const found: StreamRecord[] = []
  for (let after: Parameters<StreamDemand['list']>[0]['after'] = null; found.length < count; ) {
    const page = await streams.list({ after, limit: 100 })
    for (const stream of page.streams) if (status === undefined || stream.status === status) found.push(stream)
    after = page.next
    if (after === null) break
  }
  return found.slice(0, count)
}

/** The latest webhooks; a page may have fewer than requested. */
async function firstWebhooks(
  query: StreamQuery,
  { limit, ...options }: { limit: number; streamId: string; status: WebhookStatus | null },
): Promise<{ items: ListedDelivery[]; total: number; more: boolean }> {
  const items: ListedDelivery[] = []
  for (let after: DeliveryPlace | null = null; ; ) {
    const page = await query.deliveries({ ...options, limit: limit - items.length, excludePayload: true, after })
    for (const item of page.items) items.push(item)
    after = page.next
    if (after === null || items.length >= limit) return { items, total: page.total, more: after !== null }
  }
}

function countPending(db: Database, id: string): Promise<number> {
  return countQueued(db, { partition: streamPartition(id), id })
}

/**
 * Prints the result of pausing or resuming. `pending` and `blocks`: texts about pending webhooks and about the following
 * blocks.
 */
async function printChange(
  { print }: CliContext,
  change: Work & {
    changed: StreamRecord & { effectiveBlocks: EffectiveBlocks }
    options: Options
    pending: string
    blocks: string
  },
): Promise<void> {
  const { effectiveBlocks, ...stream } = change.changed
  const pending = await countPending(change.db, stream.id)
  if (change.options.json) return print.json({ ...withoutSecret(stream), effectiveBlocks, webhooksOwed: pending })
  print.line(`${describeStream(stream)}; ${pending} webhooks ${change.pending}`)
  for (const [chainId, block] of Object.entries(effectiveBlocks))
    print.line(`${change.nameOf(BigInt(chainId))}: ${change.blocks} block ${block}`)
}

function streamId(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    throw new InvalidArgumentError('It must be the id of a stream.')
  return text.toLowerCase()
}
