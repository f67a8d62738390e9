import { mostUnsynced, type NetworkState } from '../../coin/query.ts'
import { type Telling, tellHead } from '../pages/tellHead.ts'
import { networkHeaders } from './networkHeaders.ts'

/** The x-index-… headers of a network but the age of its head: that it is synced is withdrawn when that is not confirmed for too long. */
export type TellNetwork = Telling<readonly string[]>

/** `readAt`: before the state was read. */
export function tellNetwork(state: NetworkState | undefined, configured: boolean, readAt: number): TellNetwork {
  const told = networkHeaders(state, configured)
  if (!state?.synced) return tellHead({ head: state?.head, readAt, told, withdraw: undefined })
  function withdraw(maxAgeMs: number): readonly string[] {
    const head = { ageMs: maxAgeMs + 1, maxAgeMs }
    return networkHeaders({ ...state!, synced: false, progress: mostUnsynced, head }, configured)
  }
  return tellHead({ head: state.head, readAt, told, withdraw })
}
