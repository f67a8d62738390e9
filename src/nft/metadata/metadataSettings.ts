import { z } from 'zod'

const minute = 60_000
const delays = [30_000, 2 * minute, 10 * minute, 60 * minute, 360 * minute, 1_440 * minute, 10_080 * minute]

/** Settings of token metadata. */
export const metadataSettings = z.strictObject({
  concurrentCollections: z
    .int()
    .min(1)
    .max(1_000)
    .default(32)
    .describe('Collections whose metadata is fetched concurrently.'),
  concurrentDocuments: z
    .int()
    .min(1)
    .max(10_000)
    .default(200)
    .describe(
      'Tokens of one collection whose metadata is fetched concurrently; each host has its own limit, `outbound.perHostConcurrency`.',
    ),
  concurrentMedia: z
    .int()
    .min(1)
    .max(1_000)
    .default(16)
    .describe('Images that are fetched concurrently for preview images.'),
  retryDelaysMs: z
    .array(z.int().min(1))
    .min(1)
    .max(20)
    .default(delays)
    .describe('Retry delays after one failure, two in a row and so on, in milliseconds; the last one repeats.'),
  coolOffMs: z
    .int()
    .min(0)
    .default(10_000)
    .describe(
      "Minimum time between two reads of a token's metadata after contract events, in milliseconds; doubles each time it is unchanged, up to an hour.",
    ),
  refreshAfterMs: z
    .int()
    .min(1)
    .nullable()
    .default(7 * 1_440 * minute)
    .describe('Metadata older than this is read again when a client requests the token, in milliseconds; null: never.'),
})

/** Lists of contracts. */
export const listSettings = z.strictObject({
  spam: z.array(z.string().min(1)).default([]).describe('Files and addresses of lists of spam contracts.'),
  verified: z.array(z.string().min(1)).default([]).describe('Files and addresses of lists of verified contracts.'),
  refreshMs: z.int().min(60_000).default(3_600_000).describe('How often the lists are read again, in milliseconds.'),
  spamThreshold: z.int().min(1).max(1_000).default(50).describe('Score from which possible_spam is true.'),
})
