import { type KnownChain, knownChains } from './chains.ts'
import { definedChain } from './definedChains.ts'

/** The settings of a chain that is not one of `knownChains`, where the configuration leaves them out. */
export const unknownChain = { confirmations: 12, finalityDepth: 64, pollIntervalMs: 1_000, rpc: [] } as const

/**
 * What is known of a chain that the configuration names: one of `knownChains`, or one of viem's definitions, unless the configuration
 * gives the name to another id. undefined where its id and its nodes have to stand in the configuration, or stand there.
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
