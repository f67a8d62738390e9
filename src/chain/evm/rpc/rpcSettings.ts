import { z } from 'zod'

/** How the nodes of EVM chains are asked. */
export const rpcSettings = z
  .strictObject({
    timeoutMs: z
      .int()
      .min(100)
      .max(600_000)
      .default(20_000)
      .describe('Longest wait for one answer of a node, in milliseconds.'),
    maxConcurrency: z
      .int()
      .min(1)
      .max(1_000)
      .default(16)
      .describe('Most requests under way at once to one node; the server makes fewer while the node refuses.'),
    batchSize: z
      .int()
      .min(1)
      .max(1_000)
      .default(100)
      .describe('Most JSON-RPC calls in one HTTP request; the server sends fewer where a node takes fewer.'),
    maxLogRange: z
      .int()
      .min(1)
      .max(10_000_000)
      .nullable()
      .default(null)
      .describe(
        'Most blocks that one eth_getLogs asks for; null for no limit: the server finds what each node takes and how busy a contract is.',
      ),
  })
  .describe('How the nodes of EVM chains are asked.')

/** What the connections to nodes take of the settings. The width of ranges is for those who read logs. */
export type RpcSettings = Omit<z.output<typeof rpcSettings>, 'maxLogRange'>
