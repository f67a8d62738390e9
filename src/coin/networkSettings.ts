import { z } from 'zod'

export type NetworkSettings = z.output<typeof networkSettings>

/** How a network of coins is read. */
export const networkSettings = z
  .strictObject({
    grpc: z
      .string()
      .regex(
        /^(https?:\/\/)?[^/?#@\s]+\/?$/,
        'must be host:port, or http:// or https:// and that; a stream has no path, query, user or password',
      )
      .optional()
      .describe('Transaction stream of an indexer service or a fullnode; encrypted with https:// or on port 443.'),
    rest: z
      .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
      .optional()
      .describe(
        'REST API of a fullnode with its version, such as https://node.example/v1; beside grpc it tells the head.',
      ),
    token: z.string().min(1).optional().describe('Sent to both as a bearer token.'),
    startVersion: z
      .union([z.string().regex(/^\d{1,18}$/, 'must be a version in digits'), z.int().min(0)])
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
      .describe('A stream that says nothing for so long is opened again, in milliseconds.'),
    rangeWidth: z
      .int()
      .min(100)
      .max(10_000_000)
      .optional()
      .describe('Versions of one range of history; 50000 of a stream and 2000 of a REST source unless set.'),
    rangesInFlight: z.int().min(1).max(64).default(4).describe('Ranges of history read at once.'),
  })
  .describe('One network of coins, with grpc or rest or both.')
