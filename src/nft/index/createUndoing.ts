import type { Database, Transaction } from '../../db/database.ts'
import { isConnectionError } from '../../db/databaseError.ts'
import type { ChainCursor } from '../../sync/blockHandler.ts'
import { keptBelowFinalized, readChain } from '../../sync/chainStore.ts'
import { holdsLease } from '../../sync/leases/lease.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import type { Address } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { collectionHistory, postponeJoinOf } from '../store/historyQueue.ts'
import { beginUndo, readLargeUndos, readUndoing, type UndoneInPart, undoNextPart } from '../store/undoInParts.ts'
import { byAddress, type CollectionKey } from '../transfers/transferGroup.ts'
import { releaseCatchingUp } from './storeNextPart.ts'

/** A transaction between two blocks of a chain. undefined: the chain moved, or another worker has it. */
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

export type UndoingOptions = {
  chain: { id: bigint; name: string }
  db: Database
  /** Most transfers that one transaction undoes. */
  most: number
  /** Minimum delay in seconds before a collection with a failed undo joins; each step retries the undo. */
  pauseSeconds: number
  between: BetweenBlocks
  /**
   * All collections that catch up with the head, including those that undo blocks. Collections that return to history
   * or are removed leave it.
   */
  catchingUp: Map<Address, CollectionKey>
  log: Log
}

/**
 * Collections of a chain whose undone blocks are too large for one step, and are undone in parts between two blocks.
 */
export type Undoing = {
  /**
   * Starts undoing in parts for collections with too many transfers above block `fork`. Returns all that do so, and the
   * new ones.
   */
  begin(tx: Transaction, fork: bigint): Promise<{ ids: bigint[]; started: CollectionKey[] }>
  /** Reads the collections in a transaction that may change them. */
  read(tx: Transaction): Promise<Map<Address, CollectionKey>>
  /** Returns to history if catching up took so long that the required blocks are deleted. */
  releaseBehind(cursor: ChainCursor): Promise<void>
  /** Undoes at most `most` transfers. Returns their number. */
  undoParts(cursor: ChainCursor, most: number, signal: AbortSignal): Promise<number>
}

export function createUndoing(options: UndoingOptions): Undoing {
  const { chain, db, between, catchingUp, log } = options
  /** undefined: must be read, as a transaction that may have failed changed them. */
  let undoing: Map<Address, CollectionKey> | undefined

  async function read(tx: Transaction): Promise<Map<Address, CollectionKey>> {
    undoing = undefined
    return byAddress(await readUndoing(tx, chain.id))
  }

  /** undefined: nothing left to undo. A collection that cannot undo stops neither the chain nor the others. */
  async function undoPart(
    cursor: ChainCursor,
    collection: CollectionKey,
    most: number,
    signal: AbortSignal,
  ): Promise<UndoneInPart | 'later' | undefined> {
    try {
      const part = await between(cursor, async (tx) => ({ outcome: await undoNextPart(tx, collection, most) }))
      return part ? part.outcome : 'later'
    } catch (err) {
      if (signal.aborted) return 'later'
      if (isConnectionError(err)) throw err
      log.warn({ chain: chain.name, collection: collection.address, err }, 'collection reorg not handled')
      await postponeJoinOf(db, collectionHistory, collection, shownReason(err), options.pauseSeconds)
      return 'later'
    }
  }

  return {
    read,

    async releaseBehind(cursor) {
      if (catchingUp.size === 0) return
      const below = cursor.finalized - keptBelowFinalized
      const behind = await between(cursor, (tx) => releaseCatchingUp(tx, chain.id, below))
      if (behind?.isUndoing) undoing = undefined
      for (const [address, { id }] of catchingUp) if (behind?.released.includes(id)) catchingUp.delete(address)
    },

    async begin(tx, fork) {
      const ids = [...(await read(tx)).values()].map(({ id }) => id)
      const started: CollectionKey[] = []
      const large = await readLargeUndos(tx, { chainId: chain.id, fork, most: options.most, except: [...ids] })
      for (const collection of large) {
        if (!(await beginUndo(tx, collection, fork))) continue
        ids.push(collection.id)
        started.push(collection)
      }
      return { ids, started }
    },

    async undoParts(cursor, most, signal) {
      undoing ??= byAddress(await readUndoing(db, chain.id))
      let undone = 0
      for (const [address, collection] of [...undoing]) {
        while (undone < most) {
          const part = await undoPart(cursor, collection, most - undone, signal)
          if (part === 'later') break
          undone += part?.transfers ?? 0
          if (part && !part.next) continue
          undoing.delete(address)
          if (part?.next !== 'head') catchingUp.delete(address)
          log.info({ chain: chain.name, collection: address }, 'collection reorg handled')
          break
        }
      }
      return undone
    },
  }
}
