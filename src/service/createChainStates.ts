import type { ChainState, ChainStates } from '../api/nft/chainStates.ts'
import { createRecent } from '../api/pages/recent.ts'
import type { EvmChain } from '../chain/evm/chains.ts'
import type { Sql } from '../db/database.ts'
import { type ChainOverview, faultOf, readChainOverview } from './chainOverview.ts'

/** States of chains for every client, so without error messages, which are for the operator. One read per second serves all requests. */
export function createChainStates(options: { db: Sql; chains: readonly EvmChain[]; freshMs?: number }): ChainStates {
  const { db, chains, freshMs = 1_000 } = options
  const ids = chains.map(({ id }) => id)
  const recent = createRecent({
    read: async () => (await readChainOverview(db, ids)).map(stateOf),
    freshMs,
  })
  return { read: recent.read }
}

function stateOf(chain: ChainOverview): ChainState {
  const { id, head, pausedAt, followed } = chain
  if (pausedAt !== null) return { id, head, status: 'paused' }
  if (faultOf(chain) !== null) return { id, head, status: 'stalled' }
  return { id, head, status: followed ? 'following' : 'idle' }
}
