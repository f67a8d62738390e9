import { z } from 'zod'
import { parameter } from '../http/parameters.ts'
import type { FoundPage } from '../pages/filteredList.ts'

/**
 * EVM chains, by name or id. Each throws NotFoundError for an unknown chain, and BadRequestError for a chain without a
 * node.
 */
export type AdminChains = {
  /** Role of the answering process. */
  role: string
  /** In the order of their ids. */
  list(options: { after: bigint | null; limit: number }): Promise<FoundPage<AdminChain, string>>
  /** `changed` false: the chain was already paused. */
  pause(chain: string): Promise<ChangedAdminChain>
  resume(chain: string): Promise<ChangedAdminChain>
  /** Answers when the reset is done, or after a few seconds. Throws BadRequestError if `confirm` names another chain. */
  reset(chain: string, confirm: string): Promise<z.output<typeof chainResetSchema>>
}

/** The chain that an admin route is about, in its path or its query. */
export const chainName = parameter({
  description: 'Name or id of the chain, such as eth, 0x1 or 1, in any case.',
  allowed: 'a name or an id of a chain, such as eth, 0x1 or 1',
  schema: { type: 'string', minLength: 1, maxLength: 100, examples: ['eth'] },
  parse: (text) => (text.length > 0 && text.length <= 100 ? text : undefined),
})

const id = z.string().meta({ description: 'Id of the chain in hex.', examples: ['0x1'] })
const chain = z.string().meta({ description: 'Name of the chain.', examples: ['eth'] })
const digits = z.string().regex(/^\d+$/)
const count = z.int().min(0)

const endpointSchema = z
  .object({
    name: z.string().meta({
      description: 'Host of the node. If several configured nodes share a host, the second one is HOST#2, and so on.',
      examples: ['node.example:8545#2'],
    }),
    state: z
      .enum(['good', 'away', 'limited', 'other_chain', 'unreadable', 'unasked'])
      .describe(
        'good: the node responds; away: it does not, and is retried; limited: it requested a pause; other_chain: it serves another chain; unreadable: its last response to a method is invalid, see `fault`; unasked: the answering process has not called it yet.',
      ),
    calls: count.describe(
      'Calls that this process has sent to the node since its start or the last reset of the chain; each call of a batch counts.',
    ),
    failed: count.describe('How many of these calls got no usable response. A reverted call is not one of them.'),
    averageMs: count.nullable().describe('Moving average of the response time in milliseconds; null: no response yet.'),
    fault: z.string().nullable().describe('Current error of the node; null: none.'),
  })
  .meta({ id: 'AdminEndpoint', description: 'A node of a chain, as the answering process sees it.' })

export const chainSchema = z
  .object({
    id,
    chain,
    block: digits.nullable().describe('Last followed block; null: the chain is not followed.'),
    head: digits.nullable().describe('Head of the chain by its nodes; null: no node was ever queried.'),
    finalized: digits.nullable().describe('Last final block; null: no node was ever queried.'),
    lag: count.nullable().describe('Blocks from `block` to `head`; null: one of the two is null.'),
    headAgeSeconds: count
      .nullable()
      .describe('Seconds since a node last confirmed the head; null: no node was ever queried.'),
    pausedAt: z.iso.datetime().nullable().describe('When the chain was paused; null: it is not paused.'),
    configured: z.boolean().describe("Whether a server's configuration contains or contained the chain."),
    wanted: z.boolean().describe('Whether collections or streams need the chain.'),
    held: z.boolean().describe('Whether a running process holds the lease to follow the chain.'),
    collections: count.describe('Collections on the chain, in every state.'),
    streams: count.describe('Streams that watch the chain, in every state.'),
    fault: z.string().nullable().describe('Why the chain is not followed; null: no error.'),
    endpoints: z
      .array(endpointSchema)
      .nullable()
      .describe(
        'Nodes of the chain, in the order of the configuration; null: the answering process has none configured.',
      ),
  })
  .meta({ id: 'AdminChain', description: 'An EVM chain.' })
export type AdminChain = z.output<typeof chainSchema>

export const changedChainSchema = chainSchema
  .and(z.object({ changed: z.boolean().describe('false: the chain was in this state before.') }))
  .meta({ id: 'ChangedAdminChain', description: 'An EVM chain that was paused or resumed.' })
type ChangedAdminChain = z.output<typeof changedChainSchema>

export const resetChainSchema = z
  .object({ confirm: z.string().min(1).max(100).describe('The name or the id of the chain again.') })
  .meta({ id: 'ResetChain', description: 'Confirms the reset.', examples: [{ confirm: 'local' }] })

export const chainResetSchema = z
  .object({
    id,
    chain,
    done: z
      .boolean()
      .describe(
        'false: the reset continues in the background, as one transaction; further requests report the same reset.',
      ),
    collections: count.nullable().describe('Collections that are queued to be indexed again; null until it is done.'),
    wallets: count.nullable().describe('Wallets that are queued to be indexed again; null until it is done.'),
    streams: count.nullable().describe('Streams that restart at its first block; null until it is done.'),
  })
  .meta({ id: 'ChainReset', description: 'Progress of a reset.' })
