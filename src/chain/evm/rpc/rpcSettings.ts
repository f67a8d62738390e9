import { z } from 'zod'
import { wholeFrom } from '../../../util/allowed.ts'

/** Requests to the nodes of EVM chains. */
export const rpcSettings = z
  .strictObject({
    timeoutMs: wholeFrom(100, 600_000).default(20_000).describe('Timeout of one request to a node, in milliseconds.'),
    maxConcurrency: wholeFrom(1, 1_000)
      .default(16)
      .describe('Maximum concurrent requests to one node. The server lowers it while the node rejects requests.'),
    batchSize: wholeFrom(1, 1_000)
      .default(100)
      .describe('Maximum JSON-RPC calls in one HTTP request (batch). The server lowers it to what a node accepts.'),
    maxLogRange: wholeFrom(1, 10_000_000)
      .nullable()
      .default(null)
      .describe(
        'Maximum block range of one eth_getLogs. null: no limit; the server adapts the range to node and contract.',
      ),
  })
  .describe('Requests to the nodes of EVM chains.')

/** The settings that connections to nodes use. The width of ranges is for readers of logs. */
export type RpcSettings = Omit<z.output<typeof rpcSettings>, 'maxLogRange'>
