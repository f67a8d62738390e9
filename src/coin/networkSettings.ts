import { z } from 'zod'
import { allowing, wholeFrom } from '../util/allowed.ts'
import { httpUrl } from '../util/urls/endpointUrls.ts'

export type NetworkSettings = z.output<typeof networkSettings>

/** Settings of a coin network. */
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
        'REST API of a fullnode: its URL with the API version, such as https://node.example/v1. If grpc is set too, rest reports the head, and replaces grpc while grpc fails.',
      ),
    token: z.string().min(1).optional().describe('Bearer token that is sent to grpc and rest.'),
    startVersion: z
      .union([allowing('a version of 1 to 18 digits', z.string().regex(/^\d{1,18}$/)), wholeFrom(0)])
      .default('0')
      .describe('First version to read; earlier coins are known only if they were imported.'),
    chainId: wholeFrom(1, 65_535).optional().describe('Chain id that the source must serve; 1 is mainnet.'),
    pollIntervalMs: wholeFrom(10, 600_000)
      .default(500)
      .describe('Interval at which the server polls the REST API for the head, in milliseconds.'),
    silenceMs: wholeFrom(100, 600_000)
      .default(10_000)
      .describe(
        'Idle time of the grpc stream before the server requests the head again, also from the other source, in milliseconds.',
      ),
    maxHeadAgeMs: wholeFrom(1_000, 86_400_000)
      .optional()
      .describe(
        'Data freshness: maximum age of the last confirmed head for the status synced, in milliseconds. Default: a minute, or ten times pollIntervalMs or three times silenceMs if that is more.',
      ),
    rangeWidth: wholeFrom(100, 10_000_000)
      .optional()
      .describe('Versions in one range of history. Default: 50000 for grpc, 2000 for rest.'),
    rangesInFlight: wholeFrom(1, 64).default(4).describe('Ranges of history that are read concurrently.'),
  })
  .refine(
    ({ grpc, silenceMs, pollIntervalMs, maxHeadAgeMs = Number.POSITIVE_INFINITY }) =>
      maxHeadAgeMs >= 2 * (grpc === undefined ? pollIntervalMs : silenceMs),
    { path: ['maxHeadAgeMs'], error: 'must be at least twice silenceMs with grpc, twice pollIntervalMs without' },
  )
  .describe('One network of coins, with grpc or rest or both.')
