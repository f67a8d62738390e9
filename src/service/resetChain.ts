import type { Database } from '../db/database.ts'
import { requeueCollections } from '../nft/store/requeueCollections.ts'
import { restartStreams } from '../stream/definition/restartStreams.ts'
import { forgetChainNames } from '../sync/chainNames.ts'
import { readChain, removeChain } from '../sync/chainStore.ts'

export type ChainReset = { collections: number; streams: number }

/**
 * Forgets a chain that another one of the same id took the place of: its blocks and what is stored of its collections are removed,
 * its collections are queued and its streams begin anew. One transaction, beside running servers: a step that they have under way
 * is waited for, or finds its chain gone. One that nothing needs and that no process is configured for is forgotten. undefined: nothing
 * is stored of the chain, or another reset of it, by whatever process, came first and this one waited for it.
 */
export async function resetChain(db: Database, chainId: bigint): Promise<ChainReset | undefined> {
  return db.transaction(async (tx) => {
    const before = await readChain(tx, chainId)
    const row = await readChain(tx, chainId, true)
    if (before && !row) return undefined
    const collections = await requeueCollections(tx, chainId)
    if (!row && collections === 0) return undefined
    const streams = await restartStreams(tx, chainId, row?.finalized ?? -1n)
    await removeChain(tx, chainId)
    if (collections === 0 && streams === 0) await forgetChainNames(tx, chainId)
    return { collections, streams }
  })
}
