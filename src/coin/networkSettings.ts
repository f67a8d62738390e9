import { z } from 'zod'
import { allowing } from '../util/allowed.ts'
import { httpUrl } from '../util/urls/endpointUrls.ts'

export type NetworkSettings = z.output<typeof networkSettings>

/** How a network of coins is read. */
export const networkSettings = z
  .strictObject({
    grpc: allowing(
      'host:port, or http:// or https:// and that, without path, query, user and password',
      z.string().regex(/^(https?:\/\/)?[^/?#@\s]+\/?$/),
    )
      .optional()
      .describe('Transaction stream of an indexer service or a fullnode; encrypted with https:// or on port 443.'),
    rest: httpUrl
      .optional()
      .describe(
        'REST API of a fullnode with its version, such as https://node.example/v1; beside grpc it tells the head, and stands in while grpc fails.',
      ),
    token: z.string().min(1).optional().describe('Bearer token that is sent to grpc and rest.'),
    startVersion: z
      .union([allowing('a version of 1 to 18 digits', z.string().regex(/^\d{1,18}$/)), z.int().min(0)])
      .default('0')
      .describe('First version to read; coins that were made before are only known if imported.'),
    chainId: z.int().min(1).max(65_535).optional().describe('Chain that the source has to serve; 1 is mainnet.'),
    pollIntervalMs: z
      .int()
      .min(10)
      .max(600_000)
      .default(500)
      .describe('How often a REST source is asked for its head, in milliseconds.'),
    silenceMs: z
      .int()
      .min(100)
      .max(600_000)
      .default(10_000)
      .describe(
        'How long a stream may say nothing before the head is asked for anew, of the other source too, in milliseconds.',
      ),
    maxHeadAgeMs: z
      .int()
      .min(1_000)
      .max(86_400_000)
      .optional()
      .describe(
        'The network is not called synced when no source has confirmed its head for longer than this, in milliseconds; a minute, or ten times pollIntervalMs or three times silenceMs where that is more.',
      ),
    rangeWidth: z
      .int()
      .min(100)
      .max(10_000_000)
      .optional()
      .describe('Versions of one range of history; 50000 of a stream and 2000 of a REST source unless set.'),
    rangesInFlight: z.int().min(1).max(64).default(4).describe('Ranges of history read at once.'),
  })
  .refine(
    ({ grpc, silenceMs, pollIntervalMs, maxHeadAgeMs = Number.POSITIVE_INFINITY }) =>
      maxHeadAgeMs >= 2 * (grpc === undefined ? pollIntervalMs : silenceMs),
    { path: ['maxHeadAgeMs'], error: 'must be at least twice silenceMs with grpc, twice pollIntervalMs without' },
  )
  .describe('One network of coins, with grpc or rest or both.')
