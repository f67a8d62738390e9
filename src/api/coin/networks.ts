import { LRUCache } from 'lru-cache'
import { type CoinQuery, mostUnsynced, type NetworkState } from '../../coin/query.ts'
import { NotFoundError } from '../../util/errors.ts'
import { createRecent, type Recent } from '../pages/recent.ts'
import { reportHead, type StatusReport } from '../pages/reportHead.ts'
import { networkHeaders } from './networkHeaders.ts'

/** The network of the routes without a network in their path. */
export const defaultNetwork = 'mainnet'

/** The last read state of a network. */
export type NetworkSnapshot = {
  /** undefined: nothing is stored of it. */
  state: NetworkState | undefined
  version: bigint
  report: NetworkReport
}

export type ApiNetwork = { readonly name: string; readonly recent: Recent<NetworkSnapshot> }

export type Networks = {
  get(name: string): ApiNetwork
  /**
   * Throws NotFoundError for a network that is neither configured nor stored; the default network has no state instead.
   */
  read(network: ApiNetwork): Promise<NetworkSnapshot>
}

export function createNetworks(options: {
  query: CoinQuery
  /** Configured names. */
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
          return { state, version: state?.version ?? 0n, report: reportNetwork(state, configured.has(name), readAt) }
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
          `network is "${name}", which is not configured on this server; allowed: ${[...configured].join(', ') || 'none'}`,
          { details: { parameter: 'network' } },
        )
      return snapshot
    },
  }
}

/**
 * The x-index-… headers of a network, except the age of its head. `synced` is withdrawn when the head was not confirmed
 * recently.
 */
type NetworkReport = StatusReport<readonly string[]>

/** `readAt`: a time before the state was read. */
function reportNetwork(state: NetworkState | undefined, configured: boolean, readAt: number): NetworkReport {
  const reported = networkHeaders(state, configured)
  if (!state?.synced) return reportHead({ head: state?.head, readAt, reported, withdraw: undefined })
  function withdraw(maxAgeMs: number): readonly string[] {
    const head = { ageMs: maxAgeMs + 1, maxAgeMs }
    return networkHeaders({ ...state!, synced: false, progress: mostUnsynced, head }, configured)
  }
  return reportHead({ head: state.head, readAt, reported, withdraw })
}
