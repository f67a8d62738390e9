import type { Address } from '../../util/hex.ts'
import { type KnownChain, knownChains } from './chains.ts'
import { aliasesOf, type DefinedChainRow, definedAs, definedChain } from './definedChains.ts'

/** The defaults of a chain that is not one of `knownChains`. */
export const unknownChain = { confirmations: 12, finalityDepth: 64, pollIntervalMs: 1_000, rpc: [] } as const

/**
 * The built-in settings of a configured chain: from `knownChains`, or from viem's definitions. A definition is found by its name, unless the
 * configuration sets another id for it. An unknown name is found by its id, if the configuration has no node and only one definition has this id.
 * undefined: the configuration must specify id and nodes.
 */
export function knownChain(
  name: string,
  { id, rpc }: { id?: string | undefined; rpc?: readonly string[] | undefined },
): KnownChain | undefined {
  const known = knownChains.find(({ names }) => names.includes(name))
  if (known) return known
  const defined = definedChain(name)
  if (defined) return id === undefined || BigInt(id) === BigInt(defined.id) ? fromDefinition(name, defined) : undefined
  if (id === undefined || rpc !== undefined) return undefined
  const [only, ...others] = definedAs(BigInt(id))
  return only && others.length === 0 ? fromDefinition(name, only) : undefined
}

function fromDefinition(name: string, chain: DefinedChainRow): KnownChain {
  return {
    ...unknownChain,
    id: BigInt(chain.id),
    names: [name, ...aliasesOf(chain)],
    rpc: chain.rpc,
    ...(chain.multicall !== undefined && { multicall: chain.multicall as Address }),
  }
}
