import type { EvmChain } from '../../chain/evm/chains.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { Transaction } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Address } from '../../util/hex.ts'
import { announceContracts, announcedContracts } from '../metadata/store/contractStore.ts'
import { markChanged, metadataChanges } from '../metadata/store/markChanged.ts'
import { recordUpdates } from '../metadata/store/undoUpdates.ts'
import type { LogStore } from '../store/storeLogs.ts'
import type { CollectionKey, TransferGroup } from '../transfers/transferGroup.ts'

type Collections = ReadonlyMap<Address, CollectionKey>

/** Stores logs of a block, or of final blocks. `undoable`: number of a block that can be undone. */
export type BlockStore = {
  /** Stores the transfers of collections, and their effects on metadata. Events count for those `followed`; default: the same. */
  store(
    tx: Transaction,
    logs: readonly RpcLog[],
    collections: Collections,
    undoable: bigint | undefined,
    followed?: Collections,
  ): Promise<void>
  /**
   * Stores effects of transfers and events on metadata: the groups are stored, and the logs are of their block. Must be called with the last groups
   * for the events, as these may refer to tokens that any part of the block minted.
   */
  storeChanges(
    tx: Transaction,
    stored: readonly TransferGroup[],
    events: { logs: readonly RpcLog[]; followed: Collections },
    undoable: bigint | undefined,
  ): Promise<void>
}

/** `coolOffMs`: see `markChanged`. */
export function createBlockStore(options: {
  chain: EvmChain
  logStore: Pick<LogStore, 'store'>
  coolOffMs: number
  metrics: Metrics
}): BlockStore {
  const { chain, logStore, coolOffMs, metrics } = options

  const storeChanges: BlockStore['storeChanges'] = async (tx, stored, { logs, followed }, undoable) => {
    const changes = metadataChanges(stored, logs, followed)
    await markChanged(tx, changes, coolOffMs)
    await announceContracts(tx, announcedContracts(logs, followed), { coolOffMs, block: undoable })
    if (undoable !== undefined) await recordUpdates(tx, changes, { chainId: chain.id, number: undoable })
  }

  return {
    storeChanges,
    async store(tx, logs, collections, undoable, followed = collections) {
      const undo = undoable === undefined ? undefined : { chainId: chain.id, number: undoable }
      let stored: TransferGroup[] = []
      const onStored = async (groups: TransferGroup[]) => {
        if (stored.length > 0) await storeChanges(tx, stored, { logs: [], followed }, undoable)
        stored = groups
      }
      const rows = await logStore.store(tx, logs, collections, { undo, onStored })
      if (rows > 0) metrics.rows.inc({ chain: chain.name, table: 'transfer' }, rows)
      await storeChanges(tx, stored, { logs, followed }, undoable)
    },
  }
}
