import { copyBytes, copyRows } from '../db/copyRows.ts'
import type { Transaction } from '../db/database.ts'
import type { Address } from '../util/hex.ts'
import type { Standard, TransferForm } from './decodeTransfers.ts'
import { type Changes, reduceTransfers } from './reduceTransfers.ts'
import { mergeBalances, mergeOwned, mergeSummed, prepareStage, saveUndo, setSoleHolders } from './storeSql.ts'
import type { Transfer } from './transfer.ts'

/** A collection as its rows are keyed, and how its logs are read. */
export type CollectionKey = { partition: number; id: bigint; address: Address } & TransferForm

/** Transfers of one collection that are stored together, with what they come to. */
export type TransferGroup = { collection: CollectionKey; transfers: readonly Transfer[]; changes: Changes }

/** Costs 2 µs a transfer: done where it keeps no transaction waiting. */
export function transferGroup(collection: CollectionKey, transfers: readonly Transfer[]): TransferGroup {
  return { collection, transfers, changes: reduceTransfers(collection.address, collection.standard, transfers) }
}

/** A block that can still be undone. */
export type UndoBlock = { chainId: bigint; number: bigint }

/** How many more tokens (or fewer) a collection lists. */
export type ListedChange = { partition: number; id: bigint; listed: bigint }

/**
 * Stores transfers and merges them into owners, balances and amounts, in any order of history, each exactly once: the
 * caller's transaction also moves the coverage or cursor that says so, and holds the collections alone.
 * With `undo` the transfers are all of that block, later than everything stored, and what they replace is kept.
 */
export async function storeTransfers(
  tx: Transaction,
  groups: readonly TransferGroup[],
  undo?: UndoBlock,
): Promise<ListedChange[]> {
  await stageTransfers(tx, groups)
  return mergeStaged(tx, groups, undo)
}

/** The first half of `storeTransfers`: keeps the transfers and stages what they come to. Nothing that it does meets another transaction. */
export async function stageTransfers(tx: Transaction, groups: readonly TransferGroup[]): Promise<void> {
  await tx.copy(
    'COPY transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash) FROM STDIN',
    copyRows(transferLines(groups)),
  )
  await tx.script(prepareStage)
  await tx.copy('COPY stage_token FROM STDIN', copyRows(tokenLines(groups)))
  if (has(groups, 'ERC1155')) await tx.copy('COPY stage_balance FROM STDIN', copyRows(balanceLines(groups)))
}

/** The second half, of the same groups in the same transaction. The caller now holds the collections alone. */
export async function mergeStaged(
  tx: Transaction,
  groups: readonly TransferGroup[],
  undo?: UndoBlock,
): Promise<ListedChange[]> {
  if (undo) await tx.fresh.run(saveUndo, [undo.chainId, undo.number])
  const listed: [partition: number, id: bigint, count: bigint][] = []
  if (has(groups, 'ERC721')) listed.push(...(await tx.fresh.rows<(typeof listed)[number]>(mergeOwned)))
  if (has(groups, 'ERC1155')) {
    listed.push(...(await tx.fresh.rows<(typeof listed)[number]>(mergeSummed)))
    await tx.script(mergeBalances)
    await tx.fresh.run(setSoleHolders)
  }
  return listed.map(([partition, id, count]) => ({ partition, id, listed: count }))
}

function has(groups: readonly TransferGroup[], standard: Standard): boolean {
  return groups.some(({ collection }) => collection.standard === standard)
}

function* transferLines(groups: readonly TransferGroup[]): Generator<string> {
  for (const { collection, transfers } of groups) {
    const key = `${collection.partition}\t${collection.id}\t`
    for (const t of transfers)
      yield `${key}${t.position}\t${t.item}\t${t.tokenId}\t\\\\x${t.from}\t\\\\x${t.to}\t${t.amount}\t\\\\x${t.transactionHash}\n`
  }
}

function* tokenLines(groups: readonly TransferGroup[]): Generator<string> {
  for (const { collection, changes } of groups) {
    const key = `${collection.partition}\t${collection.id}\t`
    const summed = collection.standard === 'ERC1155' ? 't' : 'f'
    for (const t of changes.tokens)
      yield `${key}${t.hash}\t${t.tokenId}\t${copyBytes(t.owner)}\t${copyBytes(t.minter)}\t${t.lastPosition}\t${t.firstPosition}\t${t.amount}\t${summed}\n`
  }
}

function* balanceLines(groups: readonly TransferGroup[]): Generator<string> {
  for (const { collection, changes } of groups) {
    const key = `${collection.partition}\t${collection.id}\t`
    for (const b of changes.balances) yield `${key}${b.hash}\t\\\\x${b.holder}\t${b.amount}\n`
  }
}
