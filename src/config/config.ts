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
import { isPlain } from './configLayer.ts'

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
    .describe('Rate limit of an API key, in requests per second.'),
  burst: z.int().positive().max(10_000_000).default(5_000).describe('Burst size of an API key, in requests.'),
})

/** All settings: default, unit in the name, one-sentence description. */
export const configSchema = z.strictObject({
  port: wholeFrom(0, 65_535).default(8080).describe('TCP port of the HTTP server; 0 picks a free one.'),
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen on; 0.0.0.0 listens on all addresses.'),
  role: z
    .enum(['all', 'api', 'sync', 'deliver'])
    .default('all')
    .describe(
      'Part of the work that this process does. The roles sync and deliver serve only /health, /ready and /metrics.',
    ),
  apiKey: allowing(
    'text of at most 1024 characters, without control characters, or spaces at its ends',
    z
      .string()
      .min(1, { abort: true })
      .max(1_024)
      .regex(/^(?!\s)[^\p{Cc}\p{Cs}]+(?<!\s)$/u),
  )
    .nullable()
    .default(null)
    .describe('API key with admin access, valid as soon as the server starts; the server keeps only its hash.'),
  databaseUrl: databaseAddress
    .nullable()
    .default(null)
    .describe('Address of a separate database of PostgreSQL 15 or newer. null: the embedded PostgreSQL.'),
  databaseReadUrl: databaseAddress
    .nullable()
    .default(null)
    .describe(
      'Streaming read replica of databaseUrl. Processes of role all and api read pages of NFTs, wallets, transfers and coins from it, and report the block and head that it has. null: they read pages from databaseUrl.',
    ),
  databasePoolSize: wholeFrom(4, 500)
    .default(24)
    .describe(
      'Maximum number of connections of this process to PostgreSQL, beside up to eight for notifications, locks and checks.',
    ),
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
      'EVM chains by name: additional chains, and changed settings of built-in chains. `"base": {}` enables a chain that viem defines, testnets too. Its id, aliases, Multicall3 address and public nodes come from viem, and settings here override them.',
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
    .describe(
      'Aptos-style networks by name. The server serves each at /aptos/NAME, and mainnet also without that prefix.',
    ),
  rpc: rpcSettings.prefault({}),
  sync: z
    .strictObject({
      concurrentCollections: wholeFrom(1, 1_000).default(8).describe('Collections whose history is read concurrently.'),
      rangesInFlight: wholeFrom(1, 64)
        .default(3)
        .describe('Block ranges of one collection that are read concurrently.'),
      sliceMs: wholeFrom(100, 600_000)
        .default(10_000)
        .describe('Time slice of one collection before the next waiting collection gets its turn, in milliseconds.'),
      maxTokens: wholeFrom(1, 1_000_000_000)
        .default(20_000_000)
        .describe(
          'Token limit of one collection. The server skips further tokens and reports them in x-index-incomplete. After you raise it, reindex collections with skipped tokens.',
        ),
      decodeThreads: wholeFrom(0, 64)
        .nullable()
        .default(null)
        .describe(
          'Worker threads that decode history. null: one less than the number of cores, at least one; 0: the main thread decodes.',
        ),
    })
    .prefault({})
    .describe('How history is read.'),
  demand: z
    .strictObject({
      maxQueuedPerKey: wholeFrom(1)
        .default(1_000)
        .describe('Maximum number of queued collections per API key; queued wallets have the same limit.'),
      maxQueued: wholeFrom(1)
        .default(10_000)
        .describe('Maximum number of queued collections in total; queued wallets have the same limit.'),
    })
    .prefault({})
    .describe('Bounds on what clients can request to be indexed.'),
  wallets: z
    .strictObject({
      maxTransfers: wholeFrom(1, 10_000_000)
        .default(200_000)
        .describe(
          'Transfer limit of one wallet. The server does not read a wallet beyond it, and reports that in x-index-incomplete.',
        ),
      keepDays: wholeFrom(1, 36_500)
        .default(30)
        .describe(
          'Days without a request after which the server stops following a wallet; the next request continues from there.',
        ),
    })
    .prefault({})
    .describe('Wallets of chains whose `wallets` is chain.'),
  discover: z
    .strictObject({
      keepDays: wholeFrom(1, 36_500)
        .default(7)
        .describe(
          'Days, by block time, after which the server removes a discovered contract that has transfers in only one block.',
        ),
    })
    .prefault({})
    .describe('New contracts of chains whose `discover` is true.'),
  rateLimit: rateLimit.prefault({}).describe('Token bucket of every key that has none of its own.'),
  apiKeyRateLimit: rateLimit
    .nullable()
    .default(null)
    .describe('Rate limit of the key in apiKey (token bucket). null: none.'),
  cors: z
    .strictObject({
      origins: z
        .array(
          allowing(
            '"*", or an origin without a path, such as https://app.example',
            z.string().regex(/^(\*|null|[a-z][a-z\d+.-]*:\/\/[^/?#]+)$/i),
          ),
        )
        .default(['*'])
        .describe('Origins of web pages that may call the server (CORS); "*" allows all.'),
    })
    .prefault({})
    .describe('Cross-origin requests.'),
  pageCache: z
    .strictObject({
      maxBytes: wholeFrom(0).default(134_217_728).describe('Memory of the page cache, in bytes; 0 disables the cache.'),
      freshMs: wholeFrom(0, 60_000)
        .default(50)
        .describe('Time before the cache checks again whether a collection changed, in milliseconds.'),
    })
    .prefault({})
    .describe('Cache of pages.'),
  publicUrl: httpUrl
    .refine(
      (url) => /^[^?#@]*$/.test(url),
      'must have no query, no fragment, no user and no password: paths are put behind it',
    )
    .transform((url) => url.replace(/\/+$/, ''))
    .nullable()
    .default(null)
    .describe('URL at which clients reach this server, used in URLs of preview images. null: the listen address.'),
  metadata: metadataSettings.prefault({}).describe('Metadata that token URIs lead to.'),
  lists: listSettings.prefault({}).describe('Lists of spam and verified contracts, and the threshold of the rules.'),
  webhooks: webhookSettings.prefault({}),
  media: mediaSettings.prefault({}).describe('Preview images.'),
  files: z
    .strictObject({
      maxStoredBytes: wholeFrom(1_048_576)
        .default(5_368_709_120)
        .describe(
          'Disk limit for all snapshots and exports below dataDir together, and for each single one, in bytes. The server deletes the least recently requested ones, and makes them again on request.',
        ),
      atOnce: wholeFrom(1, 64)
        .default(2)
        .describe('Snapshots and exports that this process makes concurrently; one at a time per API key.'),
    })
    .prefault({})
    .describe('Snapshots and exports of whole collections.'),
  outbound: outboundSettings.prefault({}).describe('Requests to untrusted URLs.'),
  metricsPublic: z.boolean().default(false).describe('true: serve /metrics without an API key.'),
  // The process exits 9.5 s after a stop signal, whatever this setting is.
  shutdownTimeoutMs: wholeFrom(100, 9_000)
    .default(5_000)
    .describe('Maximum time to finish current work after SIGTERM, in milliseconds.'),
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
  const given = isPlain(input) ? input : {}
  const faults = [
    ...found,
    ...settingFaults(parsed.error?.issues ?? [], configSchema, input, sourceOf),
    ...chainFaults(fittingOf(given.chains, chainSettings), sourceOf),
    ...networkFaults(fittingOf(given.aptos, networkSettings), sourceOf),
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

/** The entries that fit, which are checked further even if other settings are wrong, so that all errors are reported together. */
function fittingOf<T>(given: unknown, schema: z.ZodType<T>): Record<string, T> {
  const parsed = Object.entries(isPlain(given) ? given : {}).map(
    ([name, value]) => [name, schema.safeParse(value).data] as const,
  )
  return Object.fromEntries(parsed.filter((entry): entry is [string, T] => entry[1] !== undefined))
}
