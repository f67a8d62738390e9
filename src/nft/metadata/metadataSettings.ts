import { z } from 'zod'
import { wholeFrom } from '../../util/allowed.ts'

const minute = 60_000
const delays = [30_000, 2 * minute, 10 * minute, 60 * minute, 360 * minute, 1_440 * minute, 10_080 * minute]

export const metadataSettings = z.strictObject({
  concurrentCollections: wholeFrom(1, 1_000)
    .default(32)
    .describe('Collections whose metadata is fetched concurrently.'),
  concurrentDocuments: wholeFrom(1, 10_000)
    .default(200)
    .describe(
      'Tokens of one collection whose metadata is fetched concurrently; each host has its own limit, `outbound.perHostConcurrency`.',
    ),
  concurrentMedia: wholeFrom(1, 1_000)
    .default(16)
    .describe('Media files that are fetched concurrently for preview images.'),
  retryDelaysMs: z
    .array(wholeFrom(1))
    .min(1)
    .max(20)
    .default(delays)
    .describe(
      'Retry delays after the first failure in a row, the second and so on, in milliseconds; the last one repeats.',
    ),
  coolOffMs: wholeFrom(0)
    .default(10_000)
    .describe(
      "Cool-off (cooldown): minimum time between two reads of a token's metadata after contract events, in milliseconds. It doubles each time the metadata is unchanged, up to an hour.",
    ),
  refreshAfterMs: wholeFrom(1)
    .nullable()
    .default(7 * 1_440 * minute)
    .describe(
      'Age from which metadata is stale and read again when a client requests the token, in milliseconds. null: never.',
    ),
})

export type MetadataSettings = z.output<typeof metadataSettings>

export const listSettings = z.strictObject({
  spam: z.array(z.string().min(1)).default([]).describe('Files and URLs of lists of spam contracts.'),
  verified: z.array(z.string().min(1)).default([]).describe('Files and URLs of lists of verified contracts.'),
  refreshMs: wholeFrom(60_000).default(3_600_000).describe('How often the lists are read again, in milliseconds.'),
  spamThreshold: wholeFrom(1, 1_000).default(50).describe('Score from which possible_spam is true.'),
})
