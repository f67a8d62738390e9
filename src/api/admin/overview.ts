import { z } from 'zod'

/** Server overview, in bounded time. A part that is not read in time is null, and `missing` has the reason. */
export type AdminOverview = () => Promise<Overview>

export type Overview = z.input<typeof overviewSchema>

/** How many minutes the rates cover. */
export const shownMinutes = 60

/** What the rates count, all as in `/metrics`. */
const rateMeanings = {
  requests: 'Responses sent, of every route.',
  pages: 'Pages of tokens and coins served, from the page cache or the database.',
  blocks: 'Blocks of EVM chains followed.',
  logs: 'Logs of EVM chains read, of history and of the head.',
  versions: 'Versions of Aptos-style networks read.',
  documents: 'Metadata of tokens read.',
  previews: 'Media that preview images were made of.',
  webhooksDelivered: 'Webhooks delivered.',
  attemptsFailed: 'Attempts to deliver a webhook that failed.',
} as const

export type RateKind = keyof typeof rateMeanings

export const rateKinds = Object.keys(rateMeanings) as RateKind[]

const count = z.int().min(0)
const counts = (what: string) =>
  z.record(z.string(), count).nullable().describe(`${what}, by status; null: counting took too long.`)

const processSchema = z
  .object({
    id: z.uuid().describe('Id of the process, new at every start.'),
    role: z.enum(['all', 'api', 'sync', 'deliver']).describe('Role of the process.'),
    version: z.string().meta({ description: 'Version of Mintmark that the process runs.', examples: ['1.4.0'] }),
    host: z.string().meta({ description: 'Name of the machine.', examples: ['indexer-2'] }),
    pid: count.describe('Process id on that machine.'),
    startedAt: z.iso.datetime().describe('When the process was started.'),
    heartbeatAt: z.iso
      .datetime()
      .describe('Last heartbeat. A process sends one every 10 s, and is not listed without one for 35 s.'),
    answering: z.boolean().describe('Whether this process sent the response.'),
  })
  .meta({ id: 'ServingProcess', description: 'A process of Mintmark on this database.' })

const databaseSchema = z
  .object({
    bytes: count.describe("Bytes of the whole database on disk, with PostgreSQL's own tables, without the WAL."),
    kinds: z
      .array(
        z.object({
          kind: z.string().meta({ description: 'Kind of data.', examples: ['tokens'] }),
          bytes: count.describe('Bytes on disk, with indexes.'),
        }),
      )
      .describe('By kind of data, the largest first.'),
  })
  .meta({ id: 'DatabaseSize', description: 'Disk usage of the database.' })

const diskSchema = z
  .object({
    freeBytes: count.nullable().describe('Bytes free on the disk of dataDir; null: there is no such folder.'),
    totalBytes: count.nullable().describe('All bytes of that disk.'),
    faults: z.array(z.string()).describe('Why writes of files or the database fail; empty: they do not.'),
  })
  .meta({ id: 'DiskState', description: 'The disk of the answering process.' })

const backpressureSchema = z
  .object({
    active: z.boolean().describe('Background work yields now to overdue urgent work.'),
    yielded: z
      .array(
        z.object({
          work: z.string().meta({ description: 'Kind of work.', examples: ['history'] }),
          seconds: z.number().min(0).describe('Seconds for which it yielded since the start, all tasks together.'),
        }),
      )
      .describe(
        'Work that yielded since the process started, the most first. Webhooks yield to requests, other work also to webhooks and blocks.',
      ),
  })
  .meta({
    id: 'Backpressure',
    description: 'Backpressure of the answering process.',
  })

const queueSchema = z
  .object({
    collections: counts('Collections'),
    streams: counts('Streams'),
    webhooks: count.nullable().describe('Pending webhooks, by the counters; null: counting took too long.'),
    metadata: z
      .object({
        due: count.describe('To be read for the first time, or again.'),
        failed: count.describe('Failed before, and retried later.'),
        parked: count.describe('Wait for a dead host, which does not respond.'),
        more: z.boolean().describe('There are more: counting ended at 100,000.'),
      })
      .nullable()
      .describe('Tokens whose metadata is pending; null: counting took too long.'),
    previews: z
      .object({
        due: count.describe('To be made, now or later.'),
        more: z.boolean().describe('There are more: counting ended at 100,000.'),
      })
      .nullable()
      .describe('Media that preview images are to be made of; null: counting took too long.'),
  })
  .meta({ id: 'WorkQueue', description: 'Pending work.' })

const series = (what: string) => z.array(count).length(shownMinutes).describe(what)

const ratesSchema = z
  .object({
    from: z.iso.datetime().describe('When the first minute began.'),
    ...(Object.fromEntries(Object.entries(rateMeanings).map(([kind, what]) => [kind, series(what)])) as Record<
      RateKind,
      ReturnType<typeof series>
    >),
  })
  .meta({
    id: 'MinuteRates',
    description: `Counts of all processes in each of the last ${shownMinutes} minutes, the oldest first. The last minute is incomplete.`,
  })

export const overviewSchema = z
  .object({
    version: z.string().describe('Version of the answering process.'),
    role: z.string().describe('Role of the answering process.'),
    startedAt: z.iso.datetime().describe('When that process was started.'),
    uptimeSeconds: count.describe('Seconds since startedAt.'),
    processes: z
      .array(processSchema)
      .nullable()
      .describe('Every process of every role on this database, the longest-running first; at most 1,000.'),
    database: databaseSchema.nullable().describe('null: not read in time.'),
    nodesAway: z
      .array(z.string())
      .describe("Unreachable nodes of the database's Citus cluster, by host and port; empty on one PostgreSQL server."),
    disk: diskSchema,
    backpressure: backpressureSchema,
    queue: queueSchema,
    rates: ratesSchema.nullable().describe('null: not read in time.'),
    missing: z
      .array(
        z.object({
          part: z.string().meta({ description: 'Name of the part.', examples: ['queue.webhooks'] }),
          reason: z.string().meta({ description: 'Why the part is null.', examples: ['took longer than 1 s'] }),
        }),
      )
      .describe('Parts that are null, and why; empty: all were read.'),
  })
  .meta({ id: 'Overview', description: 'Server overview.' })
