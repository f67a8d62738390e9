import { copyBytes, copyRows } from '../../db/copyRows.ts'
import type { Transaction } from '../../db/database.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import type { TokenChange } from '../transfers/reduceTransfers.ts'
import type { CollectionKey, TransferGroup } from '../transfers/transferGroup.ts'
import {
  deleteGoneBalances,
  mergeBalances,
  mergeOwned,
  mergeSummed,
  prepareStage,
  saveUndo,
  selectKnown,
  setSoleHolders,
} from './storeSql.ts'

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
  await tx.copy('COPY stage_token FROM STDIN', copyRows(stagedLines(groups)))
  if (has(groups, 'ERC1155')) await tx.copy('COPY stage_balance FROM STDIN', copyRows(balanceLines(groups)))
}

/** The second half, of the same groups in the same transaction. The caller now holds the collections alone. */
export async function mergeStaged(
  tx: Transaction,
  groups: readonly TransferGroup[],
  undo?: UndoBlock,
): Promise<ListedChange[]> {
  if (undo) await tx.fresh.run(saveUndo, [undo.chainId, undo.number])
  let listed: Listed[] = []
  for (const group of groups) if (group.minted.length > 0) listed.push(await insertMinted(tx, group))
  if (has(groups, 'ERC721')) listed = listed.concat(await tx.fresh.rows<Listed>(mergeOwned))
  if (has(groups, 'ERC1155')) {
    await tx.fresh.run(mergeBalances)
    await tx.fresh.run(deleteGoneBalances)
    listed = listed.concat(await tx.fresh.rows<Listed>(mergeSummed))
    await tx.fresh.run(setSoleHolders)
  }
  return sumByCollection(listed)
}

type Listed = [partition: number, id: bigint, count: bigint]

function sumByCollection(listed: readonly Listed[]): ListedChange[] {
  const sums = new Map<bigint, ListedChange>()
  for (const [partition, id, count] of listed) {
    const sum = sums.get(id)
    if (sum) sum.listed += count
    else sums.set(id, { partition, id, listed: count })
  }
  return [...sums.values()]
}

/** Copies minted tokens straight into their table: less than half the cost of a merge. Those that it knows are staged for one. */
async function insertMinted(tx: Transaction, { collection, minted }: TransferGroup): Promise<Listed> {
  const { partition, id } = collection
  const hashes = minted.map((token) => token.hash)
  const rows = await tx.fresh.rows<[hash: string]>(selectKnown, [partition, id, hashes])
  const known = new Set(rows.map(([hash]) => hash))
  const added = minted.filter((token) => !known.has(token.hash))
  await tx.copy(
    'COPY token (partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, amount, holders) FROM STDIN',
    copyRows(tokenLines(collection, added, ({ amount }) => `${amount}`)),
  )
  if (known.size > 0) {
    const merged = minted.filter((token) => known.has(token.hash))
    await tx.copy('COPY stage_token FROM STDIN', copyRows(tokenLines(collection, merged, () => 'f')))
  }
  return [partition, id, BigInt(added.filter(({ amount }) => amount > 0n).length)]
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

/** What is merged and not inserted. */
function* stagedLines(groups: readonly TransferGroup[]): Generator<string> {
  for (const { collection, changes, minted } of groups) {
    const inserted = new Set(minted)
    const merged = minted.length === 0 ? changes.tokens : changes.tokens.filter((token) => !inserted.has(token))
    const summed = collection.standard === 'ERC1155' ? 't' : 'f'
    yield* tokenLines(collection, merged, () => summed)
  }
}

/** The columns that `token` and its stage share, then the last one of either. */
function* tokenLines(
  collection: CollectionKey,
  tokens: readonly TokenChange[],
  last: (token: TokenChange) => string,
): Generator<string> {
  const key = `${collection.partition}\t${collection.id}\t`
  for (const t of tokens)
    yield `${key}${t.hash}\t${t.tokenId}\t${copyBytes(t.owner)}\t${copyBytes(t.minter)}\t${t.lastPosition}\t${t.firstPosition}\t${t.amount}\t${last(t)}\n`
}

function* balanceLines(groups: readonly TransferGroup[]): Generator<string> {
  for (const { collection, changes } of groups) {
    const key = `${collection.partition}\t${collection.id}\t`
    for (const b of changes.balances) yield `${key}${b.hash}\t\\\\x${b.holder}\t${b.amount}\n`
  }
}
