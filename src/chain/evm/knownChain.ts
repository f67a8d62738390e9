import { type KnownChain, knownChains } from './chains.ts'
import { definedChain } from './definedChains.ts'

/** What a chain has where neither the twelve known ones nor the configuration say it. */
export const unknownChain = { confirmations: 12, finalityDepth: 64, pollIntervalMs: 1_000, rpc: [] } as const

/**
 * What is known of a chain that the configuration names: one of the twelve, or one of viem's definitions, unless the configuration
 * gives the name to another id. undefined where both its id and its nodes have to be, or are, in the configuration.
 */
export function knownChain(
  name: string,
  { id, rpc }: { id?: string | undefined; rpc?: readonly string[] | undefined },
): KnownChain | undefined {
  const known = knownChains.find(({ names }) => names.includes(name))
  if (known || (id !== undefined && rpc !== undefined)) return known
  const defined = definedChain(name)
  if (!defined || (id !== undefined && BigInt(id) !== defined.id)) return undefined
  return { ...unknownChain, names: [name], ...defined }
}
