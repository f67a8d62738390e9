import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { Sql, Transaction } from '../../db/database.ts'
import type { Address } from '../../util/hex.ts'
import { demandChannel } from '../store/createDemand.ts'
import { readUndecided, releaseUndecided, type UndecidedKey } from '../store/liveCollections.ts'
import { mayShowStandard } from '../transfers/transferForm.ts'
import { byAddress } from '../transfers/transferGroup.ts'

/**
 * The live collections of a chain without token transfers so far. A log that may show their standard returns them to
 * history, which determines it.
 */
export type UndecidedCollections = {
  collections: ReadonlyMap<Address, UndecidedKey>
  add(collection: UndecidedKey): void
  /** In the transaction of block `number`: returns those collections to history whose standard its logs may show. */
  release(tx: Transaction, logs: readonly RpcLog[], number: bigint): Promise<void>
  /** Must be called once that transaction is committed. */
  forget(logs: readonly RpcLog[]): void
  clear(): void
}

export async function openUndecided(sql: Sql, chainId: bigint): Promise<UndecidedCollections> {
  const collections = byAddress(await readUndecided(sql, chainId))

  function shownBy(logs: readonly RpcLog[]): UndecidedKey[] {
    const shown = new Set<UndecidedKey>()
    if (collections.size === 0) return []
    for (const entry of logs) {
      const collection = collections.get(entry.address)
      if (collection && mayShowStandard(entry, collection.coins)) shown.add(collection)
    }
    return [...shown]
  }

  return {
    collections,
    add: (collection) => void collections.set(collection.address, collection),
    async release(tx, logs, number) {
      const shown = shownBy(logs)
      if (shown.length === 0) return
      await releaseUndecided(tx, shown, number)
      await tx.rows('SELECT pg_notify($1, $2)', [demandChannel, ''])
    },
    forget(logs) {
      for (const { address } of shownBy(logs)) collections.delete(address)
    },
    clear: () => collections.clear(),
  }
}
