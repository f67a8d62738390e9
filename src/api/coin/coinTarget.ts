import { createHash } from 'node:crypto'
import type { NetworkState } from '../../coin/query.ts'
import { rowName } from '../http/etag.ts'
import type { PageState, PageTarget } from '../http/pageTarget.ts'
import type { ApiNetwork, NetworkSnapshot } from './networks.ts'

/** An answer about coins, independent of the state of its network. */
export type CoinTarget = Omit<PageTarget, 'answer'> & {
  network: ApiNetwork
  /** State of the answer for this state of its network; `now` on the clock of performance.now(). */
  at(snapshot: NetworkSnapshot, now: number): PageState
}

export function createCoinTarget(options: {
  route: string
  network: ApiNetwork
  /** Operation and query as text. */
  name: string
  /** Further inputs of the bytes: the secret of the database, which signs cursors, and the version of the program. */
  salt: string
  /** Version of what the answer shows; undefined: `version` of the network. */
  versionOf: ((state: NetworkState) => bigint) | undefined
}): CoinTarget {
  const { route, network, salt, versionOf } = options
  const digest = createHash('sha256').update(salt).update(options.name).digest('base64url')
  let made: { snapshot: NetworkSnapshot; state: PageState } | undefined

  function at(snapshot: NetworkSnapshot, now: number): PageState {
    const { report } = snapshot
    const version = versionOf && snapshot.state ? versionOf(snapshot.state) : snapshot.version
    const headers = report.at(now)
    if (made?.snapshot === snapshot && made.state.headers === headers) return made.state
    const row = rowName(snapshot.state)
    const etag = `W/"${row}.${version}.${digest.slice(0, 16)}"`
    const { confirmedAt } = report
    made = { snapshot, state: { name: `coin ${row} ${digest}`, version, etag, headers, confirmedAt } }
    return made.state
  }

  return {
    route,
    network,
    at,
    current(now) {
      const snapshot = network.recent.fresh(now)
      return snapshot?.state ? at(snapshot, now) : undefined
    },
  }
}
