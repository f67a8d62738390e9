import { z } from 'zod'
import { httpUrl } from '../../util/urls/endpointUrls.ts'

const day = 86_400_000
/** A hundred years: what lies farther back may be no date of Postgres. */
const longestAgo = 36_525 * day
/** Longest wait that a timer of Node holds, in milliseconds. */
const longest = 2_147_483_647

/** What an operator can set of the delivery of webhooks. */
export const webhookSettings = z
  .strictObject({
    retryDelaysMs: z
      .array(z.int().min(1).max(longest))
      .max(100)
      .default([60_000, 600_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, day])
      .describe(
        'Waits before each further attempt, in milliseconds; after the last one a webhook has failed for good.',
      ),
    postponeForMs: z
      .int()
      .min(0)
      .default(2 * day)
      .describe(
        'How long after its first attempt a webhook that is answered with Retry-After uses up no wait of the schedule, in milliseconds.',
      ),
    timeoutMs: z
      .int()
      .min(10)
      .max(600_000)
      .default(10_000)
      .describe('Longest wait for the answer of a receiver, in milliseconds.'),
    maxBytes: z
      .int()
      .min(1_024)
      .default(5_000_000)
      .describe('Longest body of a webhook, in bytes; what a stream matched in a block beyond it is sent in parts.'),
    minSuccessRate: z
      .int()
      .min(0)
      .max(100)
      .default(70)
      .describe(
        'Success rate of an address below which its streams stop in error; it starts at 100, one point a result.',
      ),
    maxQueued: z
      .int()
      .min(1)
      .default(10_000)
      .describe('Webhooks from blocks at the head that may wait for one stream; above, it stops in error.'),
    maxQueuedHistory: z
      .int()
      .min(1)
      .default(5_000)
      .describe('History of a stream is read on only while fewer of its webhooks wait.'),
    terminateAfterMs: z
      .int()
      .min(1)
      .max(longestAgo)
      .default(5 * day)
      .describe('How long a stream may be in error before it is terminated, in milliseconds.'),
    probeDelaysMs: z
      .array(z.int().min(1).max(longest))
      .min(1)
      .max(100)
      .default([...Array<number>(12).fill(300_000), 3_600_000])
      .describe(
        'Waits before each probe of a stream in error, in milliseconds; the last one holds for all that follow.',
      ),
    operationsUrl: httpUrl
      .refine((url) => !/^https?:[/]+[^/?#]*@/.test(url), 'must have no user name or password, which is never sent')
      .nullable()
      .default(null)
      .describe(
        'Where notices of streams that stop or resume and of chains that stall are posted, signed; null: nowhere.',
      ),
    retentionDays: z
      .int()
      .min(1)
      .max(36_500)
      .default(30)
      .describe('How long a webhook is kept with its attempts after it was settled, in days; statistics stay.'),
    maxConcurrencyPerUrl: z
      .int()
      .min(1)
      .max(1_000)
      .default(64)
      .describe(
        'Attempts under way at once to one address, and as many retries and replays beside them; lowered by itself while it fails.',
      ),
    maxConcurrencyPerStream: z
      .int()
      .min(1)
      .max(1_000)
      .default(8)
      .describe(
        'First attempts under way at once for one stream, which go one by one on each chain, and as many retries beside them.',
      ),
    maxConcurrencyUnordered: z
      .int()
      .min(1)
      .max(1_000)
      .default(50)
      .describe('First attempts under way at once for one stream whose delivery is unordered.'),
    maxConcurrency: z
      .int()
      .min(1)
      .max(65_536)
      .default(2_048)
      .describe('Attempts under way at once in all; retries and replays get at most half of them.'),
    bufferBytes: z
      .int()
      .min(1_048_576)
      .default(67_108_864)
      .describe('Memory for webhooks that are about to be sent, in bytes; half of it is for retries and replays.'),
    secretOverlapMs: z
      .int()
      .min(0)
      .default(day)
      .describe('How long the previous secret of a stream still signs beside its new one, in milliseconds.'),
  })
  .describe('Delivery of webhooks.')

export type WebhookSettings = z.output<typeof webhookSettings>
