import { type components, get } from '../api/apiCall.ts'
import { type UsedPoll, usePolled } from './usePolled.ts'

export type Chain = components['schemas']['Chain']

/** The chains of this server, requested once for each view that shows them. */
export function useChains(): UsedPoll<{ result: Chain[] }> {
  return usePolled(get('/api/v2/chains', {}), { everyMs: Number.POSITIVE_INFINITY })
}

/** The name of a chain by its id in hex, or the id if the server does not have the chain. */
export function chainName(chains: readonly Chain[] | undefined, id: string): string {
  return chains?.find((chain) => chain.id === id)?.name ?? id
}

/** The default chain: one that is followed, else a configured one, else any. undefined: no chains. */
export function likelyChain(chains: readonly Chain[]): Chain | undefined {
  const rank = ({ status, configured }: Chain) => (status === 'following' ? 2 : 0) + (configured ? 1 : 0)
  return [...chains].sort((a, b) => rank(b) - rank(a))[0]
}
