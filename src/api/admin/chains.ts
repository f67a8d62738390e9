import { z } from 'zod'
import { parameter } from '../http/parameters.ts'
import type { FoundPage } from '../pages/filteredList.ts'

/** A node of a chain, as the process that answers knows it from its own calls. */
export type AdminEndpoint = z.output<typeof endpointSchema>

export type AdminChain = {
  id: bigint
  name: string
  /** Last block applied; null: it is not followed. */
  block: bigint | null
  /** null: no node was ever asked. */
  head: bigint | null
  finalized: bigint | null
  /** Since a node last confirmed the head; null: no node was asked. */
  headAgeMs: number | null
  pausedAt: Date | null
  configured: boolean
  wanted: boolean
  held: boolean
  collections: bigint
  streams: bigint
  /** What stands in its way, for people; null: nothing. */
  fault: string | null
  /** null: the process that answers has no node of it. */
  endpoints: AdminEndpoint[] | null
}

/** What has become of a reset by the time of the answer. One that is not done goes on, and is one transaction. */
export type AdminChainReset = { id: bigint; name: string; done: { collections: number; streams: number } | null }

/** EVM chains, by name or id. Each throws NotFoundError for a name or id that is no known chain, BadRequestError for one without a node. */
export type AdminChains = {
  /** Of the process that answers. */
  role: string
  /** By id. */
  list(options: { after: bigint | null; limit: number }): Promise<FoundPage<AdminChain, string>>
  /** `changed`: it was not so before. */
  pause(chain: string): Promise<AdminChain & { changed: boolean }>
  resume(chain: string): Promise<AdminChain & { changed: boolean }>
  /** Waits a few seconds. `confirm` names the chain again. Throws BadRequestError where it names none or another one. */
  reset(chain: string, confirm: string): Promise<AdminChainReset>
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
      description: 'Its host; with a number by its place in the configuration where several share the host.',
      examples: ['node.example:8545#2'],
    }),
    state: z
      .enum(['good', 'away', 'limited', 'other_chain', 'unasked'])
      .describe(
        'good: it answers; away: it does not, and is tried again by itself; limited: it asked to be left alone for now; other_chain: it serves another chain; unasked: the process that answers has not called it yet.',
      ),
    calls: count.describe(
      'Calls that this process sent to it since its start or the last reset, each of a batch counted.',
    ),
    failed: count.describe('Those of them that it did not answer. A call that reverts is answered.'),
    averageMs: count
      .nullable()
      .describe('Milliseconds of an exchange, the latest weighing most; null: none was answered.'),
    fault: z.string().nullable().describe('What is wrong with it now, in its own words; null: nothing.'),
  })
  .meta({ id: 'AdminEndpoint', description: 'A node of a chain, as the process that answers knows it.' })

export const chainSchema = z
  .object({
    id,
    chain,
    block: digits.nullable().describe('Last block that was followed; null: it is not followed.'),
    head: digits.nullable().describe('Head by its nodes; null: no node was ever asked.'),
    finalized: digits.nullable().describe('Last final block; null: no node was ever asked.'),
    lag: count.nullable().describe('Blocks between both; null where one of them is.'),
    headAgeSeconds: count.nullable().describe('Since a node last confirmed the head; null: no node was ever asked.'),
    pausedAt: z.iso.datetime().nullable().describe('Since when nothing is read of it; null: it is not paused.'),
    configured: z.boolean().describe("Whether a server's configuration names it."),
    wanted: z.boolean().describe('Whether collections or streams need it.'),
    held: z.boolean().describe('Whether a living process has the right to follow it.'),
    collections: count.describe('Collections of it, in every state.'),
    streams: count.describe('Streams that watch it, in every state.'),
    fault: z.string().nullable().describe('What stands in its way; null: nothing.'),
    endpoints: z
      .array(endpointSchema)
      .nullable()
      .describe('Its nodes, in the order of the configuration; null: the process that answers has none of it.'),
  })
  .meta({ id: 'AdminChain', description: 'An EVM chain.' })

export const changedChainSchema = chainSchema
  .extend({ changed: z.boolean().describe('false: it was so before.') })
  .meta({ id: 'ChangedAdminChain', description: 'An EVM chain that was paused or resumed.' })

export const resetChainSchema = z
  .object({ confirm: z.string().min(1).max(100).describe('The name or the id of the chain again.') })
  .meta({ id: 'ResetChain', description: 'Says that the reset is meant.', examples: [{ confirm: 'local' }] })

export const chainResetSchema = z
  .object({
    id,
    chain,
    done: z
      .boolean()
      .describe('false: it goes on in the background, as one transaction; asked again meanwhile, it is told of.'),
    collections: count.nullable().describe('Collections that are queued to be indexed anew; null until it is done.'),
    streams: count.nullable().describe('Streams that begin with its first block; null until it is done.'),
  })
  .meta({ id: 'ChainReset', description: 'What has become of a reset.' })

/** A chain as answers give it. */
export function shownChain(chain: AdminChain) {
  const { id, name, block, head, finalized, headAgeMs, collections, streams, pausedAt } = chain
  const { configured, wanted, held, fault, endpoints } = chain
  return {
    id: `0x${id.toString(16)}`,
    chain: name,
    block: block === null ? null : String(block),
    head: head === null ? null : String(head),
    finalized: finalized === null ? null : String(finalized),
    lag: block === null || head === null ? null : Math.max(0, Number(head - block)),
    headAgeSeconds: headAgeMs === null ? null : Math.max(0, Math.floor(headAgeMs / 1_000)),
    pausedAt,
    configured,
    wanted,
    held,
    collections: Number(collections),
    streams: Number(streams),
    fault,
    endpoints,
  }
}
