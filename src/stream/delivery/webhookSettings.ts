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
      .describe('Retry delays, in milliseconds; after the last one a webhook has failed permanently.'),
    postponeForMs: wholeFrom(0)
      .default(2 * day)
      .describe(
        'Time after the first attempt during which a response with Retry-After uses up no retry, in milliseconds.',
      ),
    timeoutMs: wholeFrom(10, 600_000).default(10_000).describe("Timeout of a receiver's response, in milliseconds."),
    maxBytes: wholeFrom(1_024)
      .default(5_000_000)
      .describe('Maximum body size of a webhook, in bytes; more matches of a block are sent in parts.'),
    minSuccessRate: wholeFrom(0, 100)
      .default(70)
      .describe(
        'Success rate of an endpoint below which its streams are set to error; it starts at 100 and changes by one per attempt.',
      ),
    maxQueued: wholeFrom(1)
      .default(10_000)
      .describe('Maximum pending webhooks of one stream from blocks at the head; above, the stream is set to error.'),
    maxQueuedHistory: wholeFrom(1)
      .default(5_000)
      .describe('Pending webhooks of a stream above which its history pauses.'),
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
      .describe('Retention of a settled webhook and its attempts, in days; statistics stay.'),
    maxConcurrencyPerUrl: wholeFrom(1, 1_000)
      .default(64)
      .describe(
        'Maximum concurrent attempts to one endpoint, and as many retries and replays beside them; lowered while it fails.',
      ),
    maxConcurrencyPerStream: wholeFrom(1, 1_000)
      .default(8)
      .describe('Maximum concurrent first attempts of one stream, one per chain, and as many retries beside them.'),
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
      .describe('Time during which the previous secret of a stream signs beside the new one, in milliseconds.'),
  })
  .describe('Delivery of webhooks.')

export type WebhookSettings = z.output<typeof webhookSettings>
