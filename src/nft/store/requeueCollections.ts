import type { Database, Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { readChain, reviseChain } from '../../sync/chainStore.ts'
import { partitionOf } from '../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'
import { isCollection } from '../collection/coveredTo.ts'
import { lockCollectionsWhere } from '../collection/lock.ts'
import { demandChannel } from './createDemand.ts'
import { noteRemovals } from './removals.ts'

/**
 * Removes all collections of a chain, and queues those that are contracts again, in new rows: a process that still uses an old one finds it removed.
 * Other rows of the old ones are deleted later: see removals.ts. Returns the number of queued ones.
 */
export async function requeueCollections(tx: Transaction, chainId: bigint): Promise<number> {
  return deleteRows(tx, 'chain_id = $1', [chainId], `status NOT IN ('nocode', 'known')`)
}

/** The same for collections whose standard was shown by a log above the undone block `fork`: it was their first log, so nothing else is lost. */
export async function requeueFormed(tx: Transaction, chainId: bigint, fork: bigint): Promise<number> {
  return deleteRows(tx, 'chain_id = $1 AND form_block > $2', [chainId, fork], 'true')
}

/** Removes collections, and queues those that satisfy `queue` again. The lock waits for transactions that still write to them. */
async function deleteRows(tx: Transaction, which: string, values: unknown[], queue: string): Promise<number> {
  // Their rows are deleted with the others.
  const held = await lockCollectionsWhere(tx, which, values)
  if (held.length === 0) return 0
  await noteRemovals(tx, which, values)
  const queued = await moveAside(tx, which, values, queue)
  await tx.rows('SELECT pg_notify($1, $2)', [demandChannel, ''])
  return queued
}

/** Removes a collection and queues it again, in the transaction of the chain's follower, which reloads its collections. */
export async function requeueCollection(
  tx: Transaction,
  { partition, id, chainId }: { partition: number; id: bigint; chainId: bigint },
): Promise<void> {
  await deleteRows(tx, 'partition = $1 AND id = $2', [partition, id], 'true')
  await reviseChain(tx, chainId)
}

/** A removed collection with remaining rows; `tokens`: number of its listed tokens. */
export type DeletedCollection = { partition: number; id: bigint; tokens: bigint }

/**
 * Removes a collection, beside running servers. With `requeue`, the contract is queued again in a new row with its overrides. The chain's follower
 * waits meanwhile, for a large collection no longer than for a small one, as other rows are deleted later (see removals.ts). `held`: the caller
 * starts with that. undefined: there is no such collection.
 */
export async function deleteCollection(
  db: Database,
  options: { chainId: bigint; address: Address; requeue: boolean; held: boolean },
): Promise<DeletedCollection | undefined> {
  const { chainId, address, requeue, held } = options
  const partition = partitionOf(chainId, address)
  return db.transaction(async (tx) => {
    // Locks the chain's row first, as its follower does (lock.ts).
    await readChain(tx, chainId, true)
    const [row] = await lockCollectionsWhere(tx, 'c.partition = $1 AND c.chain_id = $2 AND c.address = $3', [
      partition,
      chainId,
      hexToBuffer(address),
    ])
    if (!row) return undefined
    const { id, tokens } = row
    const key = [partition, id]
    await noteRemovals(tx, 'partition = $1 AND id = $2', key, held)
    if (requeue) await moveAside(tx, 'partition = $1 AND id = $2', key, 'true')
    else await keepAsKnown(tx, key)
    await reviseChain(tx, chainId)
    await tx.rows('SELECT pg_notify($1, $2)', [demandChannel, ''])
    return { partition, id, tokens }
  })
}

/**
 * Deletes the row of a collection. If wallets may have tokens of the contract, blocks showed it, or an operator marked it, it becomes known, in a new
 * row.
 */
async function keepAsKnown(tx: Transaction, key: unknown[]): Promise<void> {
  const [deleted] = await tx.rows<unknown[]>(
    `DELETE FROM collection WHERE partition = $1 AND id = $2
     RETURNING partition, chain_id, address, standard, name, symbol, spam_override, verified_override, standard IS NOT NULL AND ${isCollection()}`,
    key,
  )
  if (!deleted?.at(-1)) return
  await tx.run(
    `INSERT INTO collection (partition, chain_id, address, standard, name, symbol, spam_override, verified_override, status, discovered)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, 'known', NOT ${anyWallet} WHERE ${anyWallet} OR $7::bool IS NOT NULL OR $8::bool IS NOT NULL
       OR EXISTS (SELECT 1 FROM discovered_contract WHERE partition = $1 AND chain_id = $2 AND address = $3)`,
    deleted.slice(0, -1),
  )
}

const anyWallet = 'EXISTS (SELECT 1 FROM wallet WHERE chain_id = $2)'

const removedRow = defineRow({
  partition: column.int2('partition'),
  chainId: column.int8('chain_id'),
  address: column.bytea('address'),
  requestedBy: column.int8('requested_by').orNull(),
  spamOverride: column.bool('spam_override').orNull(),
  verifiedOverride: column.bool('verified_override').orNull(),
  /** Wallets are not synced while the history of such a contract is read again. */
  unindexed: column.bool('unindexed'),
})

const queuedRows = defineLists<RowOf<typeof removedRow>>({
  partition: list.int2((row) => row.partition),
  chain_id: list.int8((row) => row.chainId),
  address: list.bytea((row) => row.address),
  requested_by: list.int8((row) => row.requestedBy),
  spam_override: list.bool((row) => row.spamOverride),
  verified_override: list.bool((row) => row.verifiedOverride),
  unindexed: list.bool((row) => row.unindexed),
})

/**
 * Deletes the rows of collections that satisfy `which`, and inserts a queued row for each that also satisfies `queue`. Returns the number of queued
 * ones.
 */
async function moveAside(tx: Transaction, which: string, values: unknown[], queue: string): Promise<number> {
  const deleted = await tx.rows<[...unknown[], queue: boolean]>(
    `DELETE FROM collection WHERE ${which} RETURNING ${removedRow.columns}, ${queue}`,
    values,
  )
  const queued = deleted.filter((row) => row.at(-1)).map(removedRow.decode)
  return tx.run(
    `INSERT INTO collection (${queuedRows.columns}) SELECT * FROM ${queuedRows.unnest()}`,
    queuedRows.lists(queued),
  )
}
