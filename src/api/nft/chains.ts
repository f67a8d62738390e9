import { type Address, quantity } from '../../util/hex.ts'
import { parameter } from '../http/parameters.ts'
import { fault } from '../http/parseQuery.ts'

/** A chain, as far as the API needs it. */
export type ApiChain = {
  id: bigint
  /** Its name in our output. */
  name: string
  /** All names that `chain=` accepts, in lower case. */
  names: readonly string[]
  /** URLs of nodes; empty: the chain is known, but has no configured node. */
  rpc: readonly string[]
  /** chain: answers on wallets cover all contracts of the chain. */
  wallets?: 'chain' | 'indexed'
  /** Lists contracts that new blocks show. */
  discover?: boolean
  /** Whether the configuration contains it. */
  configured: boolean
}

/** A collection in a request. */
export type CollectionName = { chain: ApiChain; address: Address }

export const defaultChain = 'eth'

export function chainParameter(options: { chains: readonly ApiChain[] }) {
  const { chains } = options
  const byName = new Map(chains.flatMap((chain) => chain.names.map((name) => [name.toLowerCase(), chain] as const)))
  const byId = new Map(chains.map((chain) => [chain.id, chain]))
  return parameter({
    description: `The chain, by name or hex id in any case: ${listed(chains)}.`,
    allowed: `the name or hex id of a chain: ${enabled(chains)}`,
    schema: { type: 'string', default: defaultChain, examples: ['eth', '0x1'] },
    parse(text) {
      if (/^0x[0-9a-f]{1,64}$/i.test(text)) return byId.get(BigInt(text.toLowerCase()))
      return byName.get(text.toLowerCase())
    },
  })
}

/** The requested chain, or the default one; throws BadRequestError if it has no node. */
export function chainWithNode(requested: ApiChain | undefined, chains: readonly ApiChain[], name = 'chain'): ApiChain {
  const chain = requested ?? chains.find((known) => known.names.includes(defaultChain))
  if (!chain) throw fault(name, 'is missing; allowed: the name or hex id of a chain of this server')
  if (chain.rpc.length > 0) return chain
  throw fault(
    name,
    `is ${chain.name}, which is known but not configured with a node (rpc) on this server; allowed: ${enabled(chains)}`,
  )
}

/**
 * The chain with the hex id in a list's filters. Throws BadRequestError if the server no longer has the cursor's chain.
 */
export function listedChain(id: string, chains: readonly ApiChain[]): ApiChain {
  const chain = chains.find((known) => quantity(known.id) === id)
  if (chain) return chainWithNode(chain, chains)
  throw fault('cursor', `belongs to the chain ${id}, which this server does not have any more; allowed: omitting it`)
}

/** Chains with a node, which requests can specify. */
export function enabledChains(chains: readonly ApiChain[]): ApiChain[] {
  return chains.filter(({ rpc }) => rpc.length > 0)
}

function enabled(chains: readonly ApiChain[]): string {
  return listed(enabledChains(chains)) || 'none, as no chain has a node'
}

function listed(chains: readonly ApiChain[]): string {
  return chains.map((chain) => `${chain.name} ${quantity(chain.id)}`).join(', ')
}
