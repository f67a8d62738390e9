import { z } from 'zod'
import { allowing } from '../../util/allowed.ts'
import { httpUrl } from '../../util/urls/endpointUrls.ts'

/** The settings that a chain needs which this server does not know, with what each of them allows. */
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

/** What the configuration says of one EVM chain. */
export const chainSettings = z
  .strictObject({
    id: chainId
      .optional()
      .describe('Chain id in hex; needed where neither Mintmark nor viem knows the chain by its name.'),
    rpc: nodes
      .optional()
      .describe(
        'JSON-RPC addresses of nodes, used together: the next one takes over when one fails. Left out: public nodes, where Mintmark or viem knows some.',
      ),
    multicall: multicall.optional().describe('Address of Multicall3 where it is not the usual one.'),
    confirmations: z.int().min(0).max(100_000).optional().describe('Blocks after which a webhook is confirmed.'),
    finalityDepth: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Blocks below the head that count as final where the node has no `finalized` tag.'),
    pollIntervalMs: z
      .int()
      .min(10)
      .max(600_000)
      .optional()
      .describe('How often the head is asked for, in milliseconds.'),
    maxHeadAgeMs: z
      .int()
      .min(1_000)
      .max(86_400_000)
      .optional()
      .describe(
        'Nothing of the chain is called SYNCED when no node has confirmed its head for longer than this, in milliseconds; a minute, or ten times pollIntervalMs where that is more.',
      ),
    bloom: z
      .boolean()
      .optional()
      .describe("Hold a block's logs against its header's bloom; false for a chain whose blooms are wrong."),
  })
  .describe('One EVM chain; what is left out keeps its known value.')
