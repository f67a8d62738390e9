import { z } from 'zod'
import { chainSettings } from '../chain/evm/chainSettings.ts'
import { rpcSettings } from '../chain/evm/rpc/rpcSettings.ts'
import { networkSettings } from '../coin/networkSettings.ts'
import { databaseUrlFault } from '../db/server/databaseUrlFault.ts'
import { outboundSettings } from '../net/guard/outboundSettings.ts'
import { mediaSettings } from '../nft/media/mediaSettings.ts'
import { listSettings, metadataSettings } from '../nft/metadata/metadataSettings.ts'
import { webhookSettings } from '../stream/delivery/webhookSettings.ts'
import { allowing } from '../util/allowed.ts'
import { ConfigError } from '../util/errors.ts'
import { httpUrl } from '../util/urls/endpointUrls.ts'
import { chainFaults, networkFaults } from './chainFaults.ts'
import { type SourceOf, setBy, settingFaults } from './configFaults.ts'

const databaseAddress = allowing(
  'an address such as postgres://user:password@host:5432/database',
  z
    .string()
    .regex(/^postgres(ql)?:\/\//, { abort: true })
    .superRefine((url, context) => {
      const fault = databaseUrlFault(url)
      if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
    }),
)

const rateLimit = z.strictObject({
  requestsPerSecond: z
    .number()
    .positive()
    .max(1_000_000)
    .default(1_000)
    .describe('Requests a second that a key may make on average.'),
  burst: z
    .int()
    .positive()
    .max(10_000_000)
    .default(5_000)
    .describe('Requests that a key may make at once after a rest.'),
})

/** Every value that an operator can set: its default, its unit in its name, one sentence. */
export const configSchema = z.strictObject({
  port: z.int().min(0).max(65_535).default(8080).describe('TCP port that serves everything; 0 takes a free one.'),
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for all.'),
  role: z
    .enum(['all', 'api', 'sync', 'deliver'])
    .default('all')
    .describe(
      'What this process does: everything, or one part of it; sync and deliver serve /health, /ready and /metrics alone.',
    ),
  apiKey: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('An admin key that exists from the start; only its hash is stored.'),
  databaseUrl: databaseAddress
    .nullable()
    .default(null)
    .describe('PostgreSQL 15 or newer to use instead of the embedded one, a database of its own.'),
  databaseReadUrl: databaseAddress
    .nullable()
    .default(null)
    .describe(
      'A streaming replica of the database of databaseUrl, from which the roles all and api read pages of NFTs, wallets, transfers and coins; what they claim is what the replica shows. null: pages are read where everything is written.',
    ),
  databasePoolSize: z
    .int()
    .min(4)
    .max(500)
    .default(24)
    .describe('Connections that this process may hold to PostgreSQL.'),
  dataDir: z
    .string()
    .min(1)
    .default('./.mintmark')
    .describe('Folder of the embedded database and of everything else that is kept on disk.'),
  logLevel: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe(
      'Least severe events that are logged, on standard error: readable text on a terminal, elsewhere JSON lines.',
    ),
  chains: z
    .record(
      allowing(
        'the name of a chain, 1 to 40 of a–z, 0–9, space, _ and -, in lower case',
        z.string().regex(/^[a-z0-9][a-z0-9 _-]{0,39}$/),
      ),
      chainSettings,
    )
    .default({})
    .describe(
      'EVM chains by name: those to add, and what to change of those that every server knows. `"base": {}` enables one that viem defines, a testnet too, with the id, the further names, the address of Multicall3 and the public nodes of the definition; what is set here wins.',
    ),
  aptos: z
    .record(
      allowing(
        'the name of a network, 1 to 40 of a–z, 0–9, _ and -, in lower case',
        z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/),
      ),
      networkSettings,
    )
    .default({})
    .describe('Aptos-style networks by name: mainnet is served at the origin, any at /aptos/NAME.'),
  rpc: rpcSettings.prefault({}),
  sync: z
    .strictObject({
      concurrentCollections: z
        .int()
        .min(1)
        .max(1_000)
        .default(8)
        .describe('Collections whose history is read at once.'),
      rangesInFlight: z.int().min(1).max(64).default(3).describe('Block ranges of one collection read at once.'),
      sliceMs: z
        .int()
        .min(100)
        .max(600_000)
        .default(10_000)
        .describe('How long a collection is worked on before another that waits gets its turn, in milliseconds.'),
      maxTokens: z
        .int()
        .min(1)
        .max(1_000_000_000)
        .default(20_000_000)
        .describe('Most tokens of one collection; further ones are left out, and x-index-incomplete says so.'),
      decodeThreads: z
        .int()
        .min(0)
        .max(64)
        .nullable()
        .default(null)
        .describe(
          'Worker threads that decode history; null: one less than the machine has cores, and at least one; 0: the main thread decodes.',
        ),
    })
    .prefault({})
    .describe('How history is read.'),
  demand: z
    .strictObject({
      maxQueuedPerKey: z
        .int()
        .min(1)
        .default(1_000)
        .describe('Collections that one key may have waiting to be indexed.'),
      maxQueued: z.int().min(1).default(10_000).describe('Collections that may wait to be indexed in all.'),
    })
    .prefault({})
    .describe('Bounds on what clients can ask to be indexed.'),
  rateLimit: rateLimit.prefault({}).describe('Token bucket of every key that has none of its own.'),
  apiKeyRateLimit: rateLimit
    .nullable()
    .default(null)
    .describe("Token bucket of the configuration's own apiKey; null for none."),
  cors: z
    .strictObject({
      origins: z.array(z.string().min(1)).default(['*']).describe('Origins that browsers may call from; "*" for all.'),
    })
    .prefault({})
    .describe('Cross-origin requests.'),
  pageCache: z
    .strictObject({
      maxBytes: z
        .int()
        .min(0)
        .default(134_217_728)
        .describe('Memory for answered pages, in bytes; 0 turns the cache off.'),
      freshMs: z
        .int()
        .min(0)
        .max(60_000)
        .default(50)
        .describe('How long the version of a collection is trusted before it is read again, in milliseconds.'),
    })
    .prefault({})
    .describe('Cache of answered pages.'),
  publicUrl: httpUrl
    .refine(
      (url) => /^[^?#@]*$/.test(url),
      'must have no query, no fragment, no user and no password: paths are put behind it',
    )
    .transform((url) => url.replace(/\/+$/, ''))
    .nullable()
    .default(null)
    .describe('Where clients reach this server, for the addresses of previews; null: where it listens.'),
  metadata: metadataSettings.prefault({}).describe('Documents that token URIs stand for.'),
  lists: listSettings.prefault({}).describe('Lists of spam and verified contracts, and the threshold of the rules.'),
  webhooks: webhookSettings.prefault({}),
  media: mediaSettings.prefault({}).describe('Previews of images.'),
  files: z
    .strictObject({
      maxStoredBytes: z
        .int()
        .min(1_048_576)
        .default(5_368_709_120)
        .describe(
          'Most bytes of the disk for snapshots and exports below dataDir, also of a single one; those asked for least recently are removed, and made again when they are asked for.',
        ),
      atOnce: z
        .int()
        .min(1)
        .max(64)
        .default(2)
        .describe('Snapshots and exports that this process makes at once; a key has one made at once.'),
    })
    .prefault({})
    .describe('Snapshots and exports of whole collections.'),
  outbound: outboundSettings.prefault({}).describe('Requests to addresses that strangers wrote.'),
  metricsPublic: z.boolean().default(false).describe('Serve /metrics without a key.'),
  shutdownTimeoutMs: z
    .int()
    .min(100)
    // The process is gone 9.5 s after it was told to stop, whatever is set here.
    .max(9_000)
    .default(5_000)
    .describe('Longest wait for work under way when the process is told to stop, in milliseconds.'),
})

export type Config = z.output<typeof configSchema>
export type ConfigInput = z.input<typeof configSchema>

/**
 * The configuration with defaults. Throws ConfigError with every fault, including those that were `found` before; `sourceOf` tells
 * where a setting was set.
 */
export function parseConfig(
  input: unknown,
  { found = [], sourceOf = () => undefined }: { found?: readonly string[]; sourceOf?: SourceOf } = {},
): Config {
  const parsed = configSchema.safeParse(input)
  // Chains and networks are checked even where another setting is wrong, so that all faults come at once.
  const { chains, aptos } = configSchema.shape
  const given = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>
  const faults = [
    ...found,
    ...settingFaults(parsed.error?.issues ?? [], configSchema, input, sourceOf),
    ...chainFaults(chains.safeParse(given.chains).data ?? {}, sourceOf),
    ...networkFaults(aptos.safeParse(given.aptos).data ?? {}, sourceOf),
    ...(given.databaseReadUrl && !given.databaseUrl
      ? [
          `databaseReadUrl is set without databaseUrl: the embedded PostgreSQL has no replicas${setBy(['databaseReadUrl'], sourceOf)}`,
        ]
      : []),
  ]
  if (!parsed.success || faults.length > 0)
    throw new ConfigError(`the configuration has faults:\n${faults.map((f) => `  - ${f}`).join('\n')}`, {
      details: { faults },
    })
  return parsed.data
}
