import { z } from 'zod'
import { allowing, wholeFrom } from '../../util/allowed.ts'
import { httpUrl } from '../../util/urls/endpointUrls.ts'

/** The settings that a chain unknown to this server requires, with the allowed values of each. */
export const neededOfChain = {
  id: 'the chain id in hex, such as "0x7a69"',
  rpc: 'a list of http:// or https:// addresses, at least one',
} as const

const chainId = allowing(
  neededOfChain.id,
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{1,16}$/, { abort: true })
    .refine((id) => /^0x0*[0-7]?[0-9a-fA-F]{1,15}$/.test(id), 'is too large; allowed: a chain id below 2^63'),
)

const nodes = allowing(neededOfChain.rpc, z.array(httpUrl).min(1))

const multicall = allowing(
  'an address of 20 bytes in hex',
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .toLowerCase(),
)

/** The settings of one EVM chain. */
export const chainSettings = z
  .strictObject({
    id: chainId
      .optional()
      .describe('Chain id in hex; required for a chain that neither Mintmark nor viem knows by name.'),
    rpc: nodes
      .optional()
      .describe(
        'JSON-RPC URLs of nodes, used together, with failover. Default: public nodes that Mintmark or viem knows.',
      ),
    multicall: multicall.optional().describe('Address of Multicall3, if it is not the usual one.'),
    confirmations: wholeFrom(0, 100_000)
      .optional()
      .describe('Number of confirmations (blocks) after which a confirmed webhook is sent.'),
    finalityDepth: wholeFrom(1, 100_000)
      .optional()
      .describe('Blocks below the head that count as final if the node has no `finalized` tag.'),
    pollIntervalMs: wholeFrom(10, 600_000).optional().describe('Poll interval of the head, in milliseconds.'),
    maxHeadAgeMs: wholeFrom(1_000, 86_400_000)
      .optional()
      .describe(
        'Data freshness: maximum age of the last confirmed head for the status SYNCED, in milliseconds. Default: a minute, or ten times pollIntervalMs if that is more.',
      ),
    wallets: z
      .enum(['chain', 'indexed'])
      .optional()
      .describe(
        'Contracts that pages of wallets cover. chain: all contracts of the chain, found by log topics; indexed: only indexed collections. Default: chain if rpc is set, else indexed.',
      ),
    discover: z
      .boolean()
      .optional()
      .describe(
        'true: the server discovers contracts that move NFTs in a new block, and `GET /api/v2/collections?order=` lists them. Default: false.',
      ),
    bloom: z
      .boolean()
      .optional()
      .describe(
        "Whether the server validates a block's logs against the bloom filter of its header. Set false for a chain with wrong bloom filters.",
      ),
  })
  .describe('One EVM chain; what is omitted keeps its known value.')
