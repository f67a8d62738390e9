import type { Database, Transaction } from '../../db/database.ts'
import type { ChainCursor } from '../../sync/blockHandler.ts'
import { readChain } from '../../sync/chainStore.ts'
import { holdsLease } from '../../sync/leases/lease.ts'

/** A transaction between two blocks of a chain. undefined: the chain moved, or is another worker's. */
export type BetweenBlocks = <T>(cursor: ChainCursor, work: (tx: Transaction) => Promise<T>) => Promise<T | undefined>

export function betweenBlocks(db: Database, chainId: bigint): BetweenBlocks {
  return (cursor, work) =>
    db.transaction(async (tx) => {
      const row = await readChain(tx, chainId, true)
      if (row?.block?.hash !== cursor.hash) return undefined
      if (!(await holdsLease(tx, 'chain', chainId, cursor.worker))) return undefined
      return work(tx)
    })
}
