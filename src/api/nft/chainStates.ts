import { z } from 'zod'

/** Status of an enabled chain. */
export const chainStatuses = ['following', 'idle', 'paused', 'stalled'] as const

/** Sync status of a chain. */
export type ChainState = {
  id: bigint
  /** null: no node was ever queried. */
  head: bigint | null
  status: (typeof chainStatuses)[number]
}

export type ChainStates = {
  /** State of every enabled chain of this process, at most a second old. */
  read(): Promise<readonly ChainState[]>
}

export const enabledChainSchema = z
  .object({
    name: z.string().describe('Name of the chain in responses.'),
    id: z.string().meta({ description: 'Id of the chain in hex.', examples: ['0x1'] }),
    aliases: z.array(z.string()).describe('Further names for `chain`, which takes them in any case.'),
    configured: z.boolean().describe('Whether the configuration contains the chain; the others are built in.'),
    head: z
      .string()
      .regex(/^\d+$/)
      .nullable()
      .describe('Head at the last query of a node, which may be long ago for an idle chain; null: none was queried.'),
    status: z
      .enum(chainStatuses)
      .describe(
        'following: read block by block, as collections or streams need it; idle: none needs it; paused: by an operator; stalled: no node of it responds, or no process reads it.',
      ),
    discover: z.boolean().describe('Whether contracts of new blocks are listed.'),
  })
  .meta({ id: 'Chain', description: 'A chain that this server has enabled.' })
