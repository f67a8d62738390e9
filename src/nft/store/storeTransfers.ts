import { type CopyRows, copyBinary } from '../../db/copyBinary.ts'
import type { Transaction } from '../../db/database.ts'
import {
  joinedWithin,
  onlyPartition,
  type StagingTable,
  type Within,
  within,
  withStagingTables,
} from '../../db/staging/stagingTables.ts'
import { createHolderChanges, keepsHolders } from '../holders/holderChanges.ts'
import { selectHashesIn } from '../transfers/keyed.ts'
import { mergedMint } from '../transfers/tokenFacts.ts'
import { sameToken } from '../transfers/tokenHash.ts'
import type { MintedTokens, TransferGroup } from '../transfers/transferGroup.ts'
import { sharedTokenColumns, stagedRowOf, transferColumns } from '../transfers/transferRows.ts'
import { noteConverted, noteStored, readFollowed } from '../wallets/walletUpdates.ts'
import { deleteEmptyBalances, mergeBalances, mergeStaging, setSoleHolders, summedTokens } from './balances.ts'
import { noteRanges } from './transferRanges.ts'

/** A block that can still be undone. */
export type UndoBlock = { chainId: bigint; number: bigint }

/** Changes of a collection's numbers of listed tokens and of stored transfers. */
export type CountChange = { partition: number; id: bigint; listed: bigint; transfers: bigint }

/**
 * Stores transfers and merges them into owners, balances and amounts, of both standards. Parts of history may come in any order, but each transfer
 * once. The caller's transaction also moves the coverage or cursor, and holds the locks of the collections. With `undo`, the transfers are all of
 * that block, later than everything stored, and replaced values are kept.
 */
export async function storeTransfers(
  tx: Transaction,
  groups: readonly TransferGroup[],
  undo?: UndoBlock,
): Promise<CountChange[]> {
  await stageTransfers(tx, groups)
  return mergeStaged(tx, groups, undo)
}

/**
 * First half of `storeTransfers`: copies the transfers into their table, and writes their effects to staging tables. Needs no lock, so another
 * transaction may merge meanwhile.
 */
export async function stageTransfers(tx: Transaction, groups: readonly TransferGroup[]): Promise<void> {
  await copy(
    tx,
    `COPY transfer (${transferColumns}) FROM STDIN (FORMAT binary)`,
    groups.map(({ transfers }) => transfers),
  )
  await copy(
    tx,
    copyStaged,
    groups.map(({ staged }) => staged),
  )
  await copy(
    tx,
    'COPY stage_balance FROM STDIN (FORMAT binary)',
    groups.map(({ balances }) => balances),
  )
}

const copyStaged = 'COPY stage_token FROM STDIN (FORMAT binary)'

/** Copies prepared rows, so that the transaction never waits for this process. */
async function copy(tx: Transaction, statement: string, rows: readonly Uint8Array[]): Promise<void> {
  const some = rows.filter(({ length }) => length > 0)
  if (some.length > 0) await tx.copy(statement, copyBinary(some))
}

/** Second half, for the same groups in the same transaction; empties the staging tables. The caller now holds the locks of the collections. */
export async function mergeStaged(
  tx: Transaction,
  groups: readonly TransferGroup[],
  undo?: UndoBlock,
): Promise<CountChange[]> {
  await noteRanges(tx, groups)
  const followed = undo ? new Set(groups.map(({ collection }) => collection.id)) : await readFollowed(tx, groups)
  await noteStored(tx, groups, followed)
  await markMixed(tx, groups)
  const owned = groups.some((group) => group.hasOwned)
  const summed = groups.some((group) => group.hasSummed)
  const partition = onlyPartition(groups.map(({ collection }) => collection))
  const merge = mergeOf(partition)
  const joined = within(await joinedWithin(tx, partition))
  const kept = await keepsHolders(
    tx,
    groups.map(({ collection }) => collection),
    merge.of,
  )
  const hashes = groups.flatMap(({ minted }) => minted?.hashes ?? [])
  const holders = createHolderChanges(tx, { kept, sources: { stages: ['stage_token'], hashes }, of: joined })
  const stages: StagingTable[] = [
    ...(summed ? mergeStaging : (['stage_token'] as const)),
    ...(kept ? (['stage_holder'] as const) : []),
  ]
  return withStagingTables(tx, { stages, partition, byKeys: true }, async () => {
    if (undo) await tx.fresh.run(saveUndo(joined), [undo.chainId, undo.number])
    await holders.begin()
    if (summed) await noteConverted(tx, groups, { followed, of: joined })
    let listed: Listed[] = []
    for (const group of groups) if (group.minted) listed.push(await insertMinted(tx, group, group.minted))
    if (owned) listed = listed.concat(await tx.fresh.rows<Listed>(merge.owned))
    if (summed) {
      await tx.fresh.run(merge.balances)
      await holders.afterBalances()
      await tx.fresh.run(deleteEmptyBalances(joined))
      listed = listed.concat(await tx.fresh.rows<Listed>(merge.summed))
      await tx.fresh.run(setSoleHolders(joined))
    }
    await holders.end()
    return countChanges(groups, listed)
  })
}

type Listed = [id: bigint, count: number]

/** Each transfer of a group is a copied row: an existing transfer would fail the copy. */
function countChanges(groups: readonly TransferGroup[], listed: readonly Listed[]): CountChange[] {
  const changes = new Map<bigint, CountChange>()
  for (const { collection, count } of groups) {
    const { partition, id } = collection
    const change = changes.get(id) ?? { partition, id, listed: 0n, transfers: 0n }
    change.transfers += BigInt(count)
    changes.set(id, change)
  }
  for (const [id, count] of listed) changes.get(id)!.listed += BigInt(count)
  return [...changes.values()]
}

/** Copies minted tokens directly into their table, at less than half the cost of a merge. Existing tokens are staged for a merge. */
async function insertMinted(
  tx: Transaction,
  { collection }: TransferGroup,
  { hashes, rows, burned }: MintedTokens,
): Promise<Listed> {
  const { partition, id } = collection
  const found = await tx.fresh.rows<[hash: string]>(selectKnown, [partition, id, hashes])
  const known = new Set(found.map(([hash]) => hash))
  const { added, merged } = splitRows(rows, placesOf(hashes, known))
  await copy(tx, `COPY token (${sharedTokenColumns}, holders) FROM STDIN (FORMAT binary)`, added)
  await copy(tx, copyStaged, merged.map(stagedRowOf))
  return [id, rows.ends.length - known.size - burned.filter((hash) => !known.has(hash)).length]
}

/** Indexes of some hashes in a list, in ascending order. */
function placesOf(list: string, hashes: ReadonlySet<string>): number[] {
  const size = 33
  return [...hashes].map((hash) => (list.indexOf(hash) - 1) / size).sort((a, b) => a - b)
}

/** Separates the rows at some indexes. `added` are runs of rows, `merged` single ones. */
function splitRows(
  { bytes, ends }: CopyRows,
  places: readonly number[],
): { added: Uint8Array[]; merged: Uint8Array[] } {
  const added: Uint8Array[] = []
  const merged: Uint8Array[] = []
  let from = 0
  for (const place of places) {
    const start = place === 0 ? 0 : ends[place - 1]!
    added.push(bytes.subarray(from, start))
    from = ends[place]!
    merged.push(bytes.subarray(start, from))
  }
  added.push(bytes.subarray(from))
  return { added, merged }
}

// The statements of the merge. They are planned each time (`Transaction.fresh`), as a plan for a small table would later read all of it. Staged rows
// of one call have each token and each balance once. The caller holds the locks of the collections, so nothing changes between statements.

/**
 * The statements of a merge for groups of a single partition, which they contain: a cluster runs each on one shard, and commits on one node.
 * undefined: several partitions.
 */
function mergeOf(partition: number | undefined) {
  const of = within(partition)
  return {
    of,
    owned: mergeOwned(of),
    balances: mergeBalances(of),
    summed: mergeSummed(of),
  }
}

/**
 * Stores staged tokens as they were before block $2 of chain $1. If a block is stored in parts, the first part with a token has that state. Each
 * token is looked up by key: without statistics, a join may read all tokens of the partition for each.
 */
const saveUndo = (of: Within) => `
INSERT INTO token_undo (partition, collection_id, chain_id, block_number, token_hash, owner, minter, last_position, first_position, minted_position, transfers, erc1155)
SELECT s.partition, s.collection_id, $1, $2, s.token_hash, t.owner, t.minter, t.last_position, t.first_position, t.minted_position, t.transfers, t.erc1155
FROM stage_token s LEFT JOIN LATERAL (SELECT * FROM token t WHERE ${sameToken('t', 's')}${of('t')} LIMIT 1) t ON true
WHERE true${of('s')}
ON CONFLICT DO NOTHING`

/** Change of the number of listed tokens by the merge of token `t`. `was_listed`: whether it was listed before; false for a new one. */
const newlyListed = '(t.amount > 0)::int - t.was_listed::int'

const selectKnown = selectHashesIn('token')

/** SQL condition: staged ERC-721 transfers decide the owner of token `t`, which ERC-1155 transfers have not moved. */
const takesOwner = 'excluded.last_position > coalesce(t.last_position, -1) AND NOT t.erc1155'

/** SQL of a number of token `t` to which ERC-1155 transfers add: 0 if only ERC-721 transfers moved it. */
const summedOf = (column: string) => `CASE WHEN t.erc1155 THEN t.${column} ELSE 0 END`

/**
 * ERC-721: the latest transfer decides the owner, the earliest mint the minter. An ERC-1155 token keeps its owner, amount and holders. Returns the
 * change of listed tokens per token, which is summed here. Within a WITH, Citus would write the rows to a file of the coordinator before it counts
 * them, which took twice as long. Rows are in hash order, as neighbours are on the same page.
 */
const mergeOwned = (of: Within) => `
INSERT INTO token AS t (partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, minted_position, amount, transfers, holders)
SELECT partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, minted_position, amount, transfers, amount::int
FROM stage_token s WHERE NOT summed${of('s')} ORDER BY token_hash
ON CONFLICT (partition, collection_id, token_hash) DO UPDATE SET
  owner = CASE WHEN ${takesOwner} THEN excluded.owner ELSE t.owner END,
  amount = CASE WHEN ${takesOwner} THEN excluded.amount ELSE t.amount END,
  holders = CASE WHEN ${takesOwner} THEN excluded.holders ELSE t.holders END,
  last_position = greatest(excluded.last_position, t.last_position),${mergedMint},
  transfers = t.transfers + excluded.transfers,
  was_listed = t.amount > 0
RETURNING t.collection_id, ${newlyListed}`

/**
 * ERC-1155: adds to amounts and to numbers of holders, which the preceding merge of balances changed. An amount is the sum of the holders' amounts:
 * minted minus burned, plus what addresses without tokens sent, as some contracts mint in the creator's name. An id with exactly one holder is
 * staged, any other has no owner. Earlier ERC-721 transfers of the token do not count any more.
 */
const mergeSummed = (of: Within) => `
WITH merged AS (
INSERT INTO token AS t (partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, minted_position, amount, transfers, holders, erc1155)
SELECT partition, collection_id, token_hash, s.token_id, NULL, s.minter, s.last_position, s.first_position, s.minted_position, s.amount + coalesce(h.lacking, 0), s.transfers,
  coalesce(h.change, 0), true
FROM ${summedTokens(of)} ORDER BY token_hash
ON CONFLICT (partition, collection_id, token_hash) DO UPDATE SET
  amount = ${summedOf('amount')} + excluded.amount,
  holders = ${summedOf('holders')} + excluded.holders,
  owner = CASE WHEN ${summedOf('holders')} + excluded.holders = 1 THEN t.owner END,
  erc1155 = true,
  last_position = greatest(excluded.last_position, t.last_position),${mergedMint},
  transfers = t.transfers + excluded.transfers,
  was_listed = t.amount > 0
RETURNING t.partition, t.collection_id, t.token_hash, t.holders, ${newlyListed} AS listed
), sole AS (
  INSERT INTO stage_sole SELECT m.partition, m.collection_id, m.token_hash FROM merged m WHERE m.holders = 1
)
SELECT collection_id, sum(listed)::int4 FROM merged GROUP BY collection_id`

/** Records which collections got transfers of the other standard: they may now have tokens of both. */
export async function markMixed(tx: Transaction, groups: readonly TransferGroup[]): Promise<void> {
  for (const { collection, hasOther } of groups)
    if (hasOther)
      await tx.run('UPDATE collection SET mixed = true WHERE partition = $1 AND id = $2 AND NOT mixed', [
        collection.partition,
        collection.id,
      ])
}
