import { z } from 'zod'
import { chainSettings } from '../chain/evm/chainSettings.ts'
import { rpcSettings } from '../chain/evm/rpc/rpcSettings.ts'
import { networkSettings } from '../coin/networkSettings.ts'
import { databaseUrlFault } from '../db/server/databaseUrlFault.ts'
import { outboundSettings } from '../net/guard/outboundSettings.ts'
import { mediaSettings } from '../nft/media/mediaSettings.ts'
import { listSettings, metadataSettings } from '../nft/metadata/metadataSettings.ts'
import { webhookSettings } from '../stream/delivery/webhookSettings.ts'
import { allowing, wholeFrom } from '../util/allowed.ts'
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
    .describe('Rate limit of a key, in requests per second.'),
  burst: z.int().positive().max(10_000_000).default(5_000).describe('Burst size of a key, in requests.'),
})

/** All settings: default, unit in the name, one-sentence description. */
export const configSchema = z.strictObject({
  port: wholeFrom(0, 65_535).default(8080).describe('TCP port that serves everything; 0 takes a free one.'),
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for all.'),
  role: z
    .enum(['all', 'api', 'sync', 'deliver'])
    .default('all')
    .describe('Part of the work that this process does; sync and deliver serve only /health, /ready and /metrics.'),
  apiKey: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('An admin key that exists from the start; only its hash is stored.'),
  databaseUrl: databaseAddress
    .nullable()
    .default(null)
    .describe('PostgreSQL 15 or newer to use instead of the embedded one; a separate database.'),
  databaseReadUrl: databaseAddress
    .nullable()
    .default(null)
    .describe(
      'Read replica (streaming) of databaseUrl. The roles all and api read pages of NFTs, wallets, transfers and coins from it, and claim only what it shows. null: pages are read from databaseUrl.',
    ),
  databasePoolSize: wholeFrom(4, 500)
    .default(24)
    .describe('Maximum number of connections of this process to PostgreSQL.'),
  dataDir: z.string().min(1).default('./.mintmark').describe('Folder of the embedded database and of all other files.'),
  logLevel: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest level that is logged, on standard error: readable text on a terminal, elsewhere JSON lines.'),
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
      'EVM chains by name: further chains, and changes of built-in ones. `"base": {}` enables a chain that viem defines, testnets too, with id, aliases, Multicall3 address and public nodes of the definition. Settings here override it.',
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
      concurrentCollections: wholeFrom(1, 1_000).default(8).describe('Collections whose history is read concurrently.'),
      rangesInFlight: wholeFrom(1, 64)
        .default(3)
        .describe('Block ranges of one collection that are read concurrently.'),
      sliceMs: wholeFrom(100, 600_000)
        .default(10_000)
        .describe('Time slice of one collection before a waiting one is next, in milliseconds.'),
      maxTokens: wholeFrom(1, 1_000_000_000)
        .default(20_000_000)
        .describe('Token limit of one collection; further tokens are skipped and reported in x-index-incomplete.'),
      decodeThreads: wholeFrom(0, 64)
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
      maxQueuedPerKey: wholeFrom(1)
        .default(1_000)
        .describe('Maximum number of queued collections per key, and of queued wallets.'),
      maxQueued: wholeFrom(1)
        .default(10_000)
        .describe('Maximum number of queued collections in total, and of queued wallets.'),
    })
    .prefault({})
    .describe('Bounds on what clients can request to be indexed.'),
  wallets: z
    .strictObject({
      maxTransfers: wholeFrom(1, 10_000_000)
        .default(200_000)
        .describe('Transfers of one wallet; one with more is not read further and reports so in x-index-incomplete.'),
      keepDays: wholeFrom(1, 36_500)
        .default(30)
        .describe(
          'Days without a request after which a wallet is no longer followed; the next request continues from there.',
        ),
    })
    .prefault({})
    .describe('Wallets of chains whose `wallets` is chain.'),
  discover: z
    .strictObject({
      keepDays: wholeFrom(1, 36_500)
        .default(7)
        .describe(
          'Days after which a contract without a transfer in a second block is forgotten, by the time of blocks.',
        ),
    })
    .prefault({})
    .describe('New contracts of chains whose `discover` is true.'),
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
      maxBytes: wholeFrom(0).default(134_217_728).describe('Memory of the page cache, in bytes; 0 disables the cache.'),
      freshMs: wholeFrom(0, 60_000)
        .default(50)
        .describe('Time before the version of a collection is read again, in milliseconds.'),
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
    .describe('Address at which clients reach this server, for URLs of preview images; null: the listen address.'),
  metadata: metadataSettings.prefault({}).describe('Metadata that token URIs lead to.'),
  lists: listSettings.prefault({}).describe('Lists of spam and verified contracts, and the threshold of the rules.'),
  webhooks: webhookSettings.prefault({}),
  media: mediaSettings.prefault({}).describe('Previews of images.'),
  files: z
    .strictObject({
      maxStoredBytes: wholeFrom(1_048_576)
        .default(5_368_709_120)
        .describe(
          'Disk limit for snapshots and exports below dataDir, also for a single one, in bytes. The least recently requested ones are deleted, and made again on request.',
        ),
      atOnce: wholeFrom(1, 64)
        .default(2)
        .describe('Snapshots and exports that this process makes concurrently; a key makes one at a time.'),
    })
    .prefault({})
    .describe('Snapshots and exports of whole collections.'),
  outbound: outboundSettings.prefault({}).describe('Requests to untrusted URLs.'),
  metricsPublic: z.boolean().default(false).describe('Serve /metrics without a key.'),
  // The process exits 9.5 s after a stop signal, whatever this setting is.
  shutdownTimeoutMs: wholeFrom(100, 9_000)
    .default(5_000)
    .describe('Maximum wait for current work after SIGTERM, in milliseconds.'),
})

export type Config = z.output<typeof configSchema>
export type ConfigInput = z.input<typeof configSchema>

/**
 * The configuration with defaults. Throws ConfigError with every error, including those `found` before; `sourceOf`
 * returns the source of a setting.
 */
export function parseConfig(
  input: unknown,
  { found = [], sourceOf = () => undefined }: { found?: readonly string[]; sourceOf?: SourceOf } = {},
): Config {
  const parsed = configSchema.safeParse(input)
  // Chains and networks are checked even if another setting is wrong, so that all errors are reported together.
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
    throw new ConfigError(`the configuration has errors:\n${faults.map((f) => `  - ${f}`).join('\n')}`, {
      details: { faults },
    })
  return parsed.data
}
