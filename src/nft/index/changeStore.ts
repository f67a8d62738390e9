import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { Transaction } from '../../db/database.ts'
import type { Address } from '../../util/hex.ts'
import { announceContracts, announcedContracts } from '../metadata/store/contractStore.ts'
import { markChanged, metadataChanges } from '../metadata/store/markChanged.ts'
import { recordUpdates } from '../metadata/store/undoUpdates.ts'
import type { CollectionKey, TransferGroup } from '../transfers/transferGroup.ts'

type Collections = ReadonlyMap<Address, CollectionKey>

/**
 * Stores effects of transfers and events on metadata: the groups are stored, and the logs are of their block. Must be
 * called with the last groups for the events, as these may refer to tokens that any part of the block minted.
 * `undoable`: number of a block that can be undone.
 */
export type ChangeStore = (
  tx: Transaction,
  stored: readonly TransferGroup[],
  logs: readonly RpcLog[],
  undoable: bigint | undefined,
) => Promise<void>

/** `live` and `catchingUp`: the currently followed collections. */
export function changeStore(options: {
  chainId: bigint
  coolOffMs: number
  live: Collections
  catchingUp: Collections
}): ChangeStore {
  const { chainId, coolOffMs, live, catchingUp } = options
  return async (tx, stored, logs, undoable) => {
    const followed = catchingUp.size === 0 ? live : new Map([...live, ...catchingUp])
    const changes = metadataChanges(stored, logs, followed)
    await markChanged(tx, changes, coolOffMs)
    await announceContracts(tx, announcedContracts(logs, followed), { coolOffMs, block: undoable })
    if (undoable !== undefined) await recordUpdates(tx, changes, { chainId, number: undoable })
  }
}
