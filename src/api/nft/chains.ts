import { type Address, type Hex, quantity } from '../../util/hex.ts'
import { parameter } from '../http/parameters.ts'
import { fault } from '../http/parseQuery.ts'

/** What the API needs to know of a chain. */
export type ApiChain = {
  id: bigint
  /** Its name in our own output. */
  name: string
  /** All names that `chain=` takes, lower case. */
  names: readonly string[]
  /** Addresses of nodes; empty: the chain is known, but no node of it is configured. */
  rpc: readonly string[]
  /** chain: answers on wallets cover all contracts of the chain. */
  wallets?: 'chain' | 'indexed'
  /** Contracts that its new blocks show are listed. */
  discover?: boolean
  /** Whether the configuration contains it. */
  configured: boolean
}

/** A collection as clients name it. */
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

/** The chain requested, or the default one; throws BadRequestError where there is no node for it. */
export function chainWithNode(asked: ApiChain | undefined, chains: readonly ApiChain[], name = 'chain'): ApiChain {
  const chain = asked ?? chains.find((known) => known.names.includes(defaultChain))
  if (!chain) throw fault(name, 'is missing; allowed: the name or hex id of a chain of this server')
  if (chain.rpc.length > 0) return chain
  throw fault(
    name,
    `is ${chain.name}, which is known but not configured with a node (rpc) on this server; allowed: ${enabled(chains)}`,
  )
}

/**
 * The id in hex of the chain that a request for a list requests: a filter of the list. undefined: the cursor shows. Throws BadRequestError, as
 * `chainWithNode` does.
 */
export function askedChain(
  { chain, cursor }: { chain?: ApiChain | undefined; cursor?: string | undefined },
  chains: readonly ApiChain[],
): Hex | undefined {
  return chain || !cursor ? quantity(chainWithNode(chain, chains).id) : undefined
}

/** The chain whose id in hex is in the filters of a list. Throws BadRequestError if a cursor is of a chain that the server no longer has. */
export function listedChain(id: string, chains: readonly ApiChain[]): ApiChain {
  const chain = chains.find((known) => quantity(known.id) === id)
  if (chain) return chainWithNode(chain, chains)
  throw fault('cursor', `belongs to the chain ${id}, which this server does not have any more; allowed: omitting it`)
}

/** The chains that a request can request: those with a node. */
export function enabledChains(chains: readonly ApiChain[]): ApiChain[] {
  return chains.filter(({ rpc }) => rpc.length > 0)
}

function enabled(chains: readonly ApiChain[]): string {
  return listed(enabledChains(chains)) || 'none, as no chain has a node'
}

function listed(chains: readonly ApiChain[]): string {
  return chains.map((chain) => `${chain.name} ${quantity(chain.id)}`).join(', ')
}
