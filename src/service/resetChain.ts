import type { Database, Sql } from '../db/database.ts'
import { forgetChain } from '../nft/discovery/forgetPast.ts'
import { requeueCollections } from '../nft/store/requeueCollections.ts'
import { requeueWallets } from '../nft/walletHistory/removeWallets.ts'
import { restartStreams } from '../stream/definition/restartStreams.ts'
import { forgetChainNames } from '../sync/chainNames.ts'
import { readChain, removeChain } from '../sync/chainStore.ts'

export type ChainReset = { collections: number; wallets: number; streams: number }

/**
 * Resets a chain that was replaced by another one with the same id: deletes its blocks and the data of its collections and wallets, queues these and
 * restarts its streams, in one transaction. Servers may run meanwhile: their current step is waited for, or finds that its chain was removed. The
 * names of a chain without collections, wallets and streams are deleted, see `forgetChainNames`. undefined: nothing is stored of the
 * chain, or another reset of it ended while this one waited.
 */
export async function resetChain(db: Database, chainId: bigint): Promise<ChainReset | undefined> {
  return db.transaction(async (tx) => {
    const before = await readChain(tx, chainId)
    const row = await readChain(tx, chainId, true)
    if (before && !row) return undefined
    // First, as each remaining collection costs the removal of its rows.
    await forgetChain(tx, chainId)
    const collections = await requeueCollections(tx, chainId)
    const wallets = await requeueWallets(tx, chainId)
    const streams = await restartStreams(tx, chainId, row?.finalized ?? -1n)
    await removeChain(tx, chainId)
    const isEmpty = collections === 0 && wallets === 0 && streams === 0
    const names = isEmpty ? await forgetChainNames(tx, chainId) : 0
    return !row && isEmpty && names === 0 ? undefined : { collections, wallets, streams }
  })
}

/** What a reset of a chain would queue and restart. */
export async function countReset(sql: Sql, chainId: bigint): Promise<ChainReset> {
  const [[collections, wallets, streams] = [0n, 0n, 0n]] = await sql.rows<[bigint, bigint, bigint]>(
    `SELECT (SELECT count(*) FROM collection WHERE chain_id = $1 AND status NOT IN ('nocode', 'known')),
       (SELECT count(*) FROM wallet WHERE chain_id = $1 AND status <> 'removed'),
       (SELECT count(*) FROM stream_chain WHERE chain_id = $1)`,
    [chainId],
  )
  return { collections: Number(collections), wallets: Number(wallets), streams: Number(streams) }
}
