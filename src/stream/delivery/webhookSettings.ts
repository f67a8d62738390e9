import { z } from 'zod'
import { wholeFrom } from '../../util/allowed.ts'
import { httpUrl } from '../../util/urls/endpointUrls.ts'

const day = 86_400_000
/** A hundred years: earlier times may be outside of PostgreSQL's range. */
const longestAgo = 36_525 * day
/** Longest timer of Node, in milliseconds. */
const longest = 2_147_483_647

export const webhookSettings = z
  .strictObject({
    retryDelaysMs: z
      .array(wholeFrom(1, longest))
      .max(100)
      .default([60_000, 600_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, day])
      .describe(
        'Retry delays of a webhook, in milliseconds. If the last retry fails, the webhook has failed permanently.',
      ),
    postponeForMs: wholeFrom(0)
      .default(2 * day)
      .describe(
        'Time after the first attempt during which a response with Retry-After uses up no retry, in milliseconds.',
      ),
    timeoutMs: wholeFrom(10, 600_000).default(10_000).describe("Timeout of the receiver's response, in milliseconds."),
    maxBytes: wholeFrom(1_024)
      .default(5_000_000)
      .describe('Maximum body size of a webhook, in bytes. Larger blocks are sent in parts.'),
    minSuccessRate: wholeFrom(0, 100)
      .default(70)
      .describe(
        'Success rate of a receiver below which its streams are set to error. It starts at 100 and changes by one per attempt.',
      ),
    maxQueued: wholeFrom(1)
      .default(10_000)
      .describe(
        'Maximum pending webhooks of one stream from blocks at the head. With more, the stream is set to error.',
      ),
    maxQueuedHistory: wholeFrom(1)
      .default(5_000)
      .describe('Pending webhooks of a stream above which reading its history (backfill) pauses.'),
    terminateAfterMs: wholeFrom(1, longestAgo)
      .default(5 * day)
      .describe('Time in error before a stream is terminated, in milliseconds.'),
    probeDelaysMs: z
      .array(wholeFrom(1, longest))
      .min(1)
      .max(100)
      .default([...Array<number>(12).fill(300_000), 3_600_000])
      .describe('Delays before each probe of a stream in error, in milliseconds; the last one repeats.'),
    operationsUrl: httpUrl
      .refine((url) => !/^https?:[/]+[^/?#]*@/.test(url), 'must have no user name or password, which is never sent')
      .nullable()
      .default(null)
      .describe(
        'URL for signed operational webhooks about streams that stop or resume and chains that stall; null: none.',
      ),
    retentionDays: wholeFrom(1, 36_500)
      .default(30)
      .describe(
        'Retention of a webhook that is delivered, failed or dropped, with its attempts, in days. Statistics stay.',
      ),
    maxConcurrencyPerUrl: wholeFrom(1, 1_000)
      .default(64)
      .describe(
        'Maximum concurrent first attempts to one receiver URL; retries and replays have the same limit separately. The server lowers both while the receiver fails.',
      ),
    maxConcurrencyPerStream: wholeFrom(1, 1_000)
      .default(8)
      .describe(
        'Maximum concurrent first attempts of one stream, at most one per chain; retries have the same limit separately.',
      ),
    maxConcurrencyUnordered: wholeFrom(1, 1_000)
      .default(50)
      .describe('Maximum concurrent first attempts of one unordered stream.'),
    maxConcurrency: wholeFrom(1, 65_536)
      .default(2_048)
      .describe('Maximum concurrent attempts in total; retries and replays get at most half of them.'),
    bufferBytes: wholeFrom(1_048_576)
      .default(67_108_864)
      .describe('Memory for webhooks before they are sent, in bytes; half of it is for retries and replays.'),
    secretOverlapMs: wholeFrom(0)
      .default(day)
      .describe('Time during which the previous secret of a stream also signs its webhooks, in milliseconds.'),
  })
  .describe('Delivery of webhooks.')

export type WebhookSettings = z.output<typeof webhookSettings>
