import type { EvmChain } from '../../chain/evm/chains.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { Transaction } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Address } from '../../util/hex.ts'
import { markChanged, metadataChanges, withUnknown } from '../metadata/store/markChanged.ts'
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
  /** Stores effects of stored transfers of a block on metadata. */
  storeEffects(tx: Transaction, stored: readonly TransferGroup[], undoable: bigint | undefined): Promise<void>
  /** Stores effects of events in blocks of a collection that catches up in parts: not all of its tokens are stored yet. */
  storeEvents(tx: Transaction, logs: readonly RpcLog[], collection: CollectionKey, finalized: bigint): Promise<void>
}

/** `coolOffMs`: see `markChanged`. */
export function createBlockStore(options: {
  chain: EvmChain
  logStore: Pick<LogStore, 'store'>
  coolOffMs: number
  metrics: Metrics
}): BlockStore {
  const { chain, logStore, coolOffMs, metrics } = options

  /**
   * Stores effects on metadata: the groups are stored, and the logs are of their block. Must be called with the last groups for the events, as these
   * may refer to tokens that any part of the block minted. `isWhole`: all tokens of a collection up to the block are stored.
   */
  async function storeChanges(
    tx: Transaction,
    stored: readonly TransferGroup[],
    { logs, followed, isWhole }: Events,
    undoable: bigint | undefined,
  ): Promise<void> {
    const changes = await withUnknown(tx, metadataChanges(stored, logs, followed))
    await markChanged(tx, changes, coolOffMs)
    if (undoable !== undefined) await recordUpdates(tx, changes, { chainId: chain.id, number: undoable, isWhole })
  }

  return {
    storeEffects: (tx, stored, undoable) => storeChanges(tx, stored, noEvents, undoable),
    async storeEvents(tx, logs, collection, finalized) {
      const followed = new Map([[collection.address, collection]])
      for (const [number, own] of Map.groupBy(logs, (entry) => BigInt(entry.blockNumber))) {
        const events = { logs: own, followed, isWhole: () => false }
        await storeChanges(tx, [], events, number > finalized ? number : undefined)
      }
    },
    async store(tx, logs, collections, undoable, followed = collections) {
      const undo = undoable === undefined ? undefined : { chainId: chain.id, number: undoable }
      let stored: TransferGroup[] = []
      const onStored = async (groups: TransferGroup[]) => {
        if (stored.length > 0) await storeChanges(tx, stored, noEvents, undoable)
        stored = groups
      }
      const rows = await logStore.store(tx, logs, collections, { undo, onStored })
      if (rows > 0) metrics.rows.inc({ chain: chain.name, table: 'transfer' }, rows)
      const isWhole = ({ address }: CollectionKey) => collections.has(address)
      await storeChanges(tx, stored, { logs, followed, isWhole }, undoable)
    },
  }
}

type Events = { logs: readonly RpcLog[]; followed: Collections; isWhole: (collection: CollectionKey) => boolean }

const noEvents: Events = { logs: [], followed: new Map(), isWhole: () => true }
