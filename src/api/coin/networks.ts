import { LRUCache } from 'lru-cache'
import type { CoinQuery, NetworkState } from '../../coin/query.ts'
import { NotFoundError } from '../../errors.ts'
import { createRecent, type Recent } from '../pages/recent.ts'
import { type TellNetwork, tellNetwork } from './tellNetwork.ts'

/** The network that is served at the origin. */
export const defaultNetwork = 'mainnet'

/** What was last read of a network. */
export type NetworkSnapshot = {
  /** undefined: nothing is stored of it. */
  state: NetworkState | undefined
  version: bigint
  tell: TellNetwork
}

export type ApiNetwork = { readonly name: string; readonly recent: Recent<NetworkSnapshot> }

export type Networks = {
  get(name: string): ApiNetwork
  /** Throws NotFoundError for one that is neither configured nor stored, except the default one, which is empty then. */
  read(network: ApiNetwork): Promise<NetworkSnapshot>
}

export function createNetworks(options: {
  query: CoinQuery
  /** Names of the configuration. */
  configured: readonly string[]
  freshMs: number
}): Networks {
  const { query, freshMs } = options
  const configured = new Set(options.configured)
  const known = new LRUCache<string, ApiNetwork>({ max: 1_000 })
  return {
    get(name) {
      let network = known.get(name)
      if (!network) {
        const read = async () => {
          const readAt = performance.now()
          const state = await query.network(name)
          return { state, version: state?.version ?? 0n, tell: tellNetwork(state, configured.has(name), readAt) }
        }
        network = { name, recent: createRecent<NetworkSnapshot>({ read, freshMs }) }
        known.set(name, network)
      }
      return network
    },
    async read({ name, recent }) {
      const snapshot = await recent.read()
      if (!snapshot.state && name !== defaultNetwork && !configured.has(name))
        throw new NotFoundError(
          `network is "${name}", which this server does not have; it has ${[...configured].join(', ') || 'none'}`,
          { details: { parameter: 'network' } },
        )
      return snapshot
    },
  }
}
