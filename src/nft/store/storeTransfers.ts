import { type CopyRows, copyBinary } from '../../db/copyBinary.ts'
import type { Transaction } from '../../db/database.ts'
import { joinedWithin, onlyPartition, type Stage, type Within, within, withStages } from '../../db/stages/stages.ts'
import { createHolderChanges, keepsHolders } from '../holders/holderChanges.ts'
import { selectHashesIn } from '../transfers/keyed.ts'
import { mergedMint } from '../transfers/tokenFacts.ts'
import { sameToken } from '../transfers/tokenHash.ts'
import type { MintedTokens, TransferGroup } from '../transfers/transferGroup.ts'
import { sharedTokenColumns, stagedRowOf, transferColumns } from '../transfers/transferRows.ts'
import { noteStored, noteTurned } from '../wallets/walletDue.ts'
import { noteRanges } from './transferRanges.ts'

/** A block that can still be undone. */
export type UndoBlock = { chainId: bigint; number: bigint }

/** How many more tokens a collection lists, and how many more transfers are kept of it; below zero: fewer. */
export type CountChange = { partition: number; id: bigint; listed: bigint; transfers: bigint }

/**
 * Stores transfers and merges them into owners, balances and amounts, of both standards. Parts of history may come in any order, but each transfer once:
 * the caller's transaction also moves the coverage or cursor that says so, and holds the locks of the collections.
 * With `undo` the transfers are all of that block, later than everything stored, and what they replace is kept.
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
 * The first half of `storeTransfers`: copies the transfers into their table and writes to staging tables what they come to. It needs no lock, so another
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

/** Copies rows, all of which are there already, so that the transaction never waits for this process to make them. */
async function copy(tx: Transaction, statement: string, rows: readonly Uint8Array[]): Promise<void> {
  const some = rows.filter(({ length }) => length > 0)
  if (some.length > 0) await tx.copy(statement, copyBinary(some))
}

/**
 * The second half, of the same groups in the same transaction, which leaves the staging tables empty. By now the caller holds the locks of the
 * collections.
 */
export async function mergeStaged(
  tx: Transaction,
  groups: readonly TransferGroup[],
  undo?: UndoBlock,
): Promise<CountChange[]> {
  await noteRanges(tx, groups)
  await noteStored(tx, groups, undo !== undefined)
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
  const stages: Stage[] = [
    ...(summed ? mergeStages : (['stage_token'] as const)),
    ...(kept ? (['stage_holder'] as const) : []),
  ]
  return withStages(tx, { stages, partition, byKeys: true }, async () => {
    if (undo) await tx.fresh.run(saveUndo(joined), [undo.chainId, undo.number])
    await holders.begin()
    if (summed) await noteTurned(tx, groups, { atHead: undo !== undefined, of: joined })
    let listed: Listed[] = []
    for (const group of groups) if (group.minted) listed.push(await insertMinted(tx, group, group.minted))
    if (owned) listed = listed.concat(await tx.fresh.rows<Listed>(merge.owned))
    if (summed) {
      await tx.fresh.run(merge.balances)
      await holders.afterBalances()
      await tx.fresh.run(deleteGoneBalances(joined))
      listed = listed.concat(await tx.fresh.rows<Listed>(merge.summed))
      await tx.fresh.run(setSoleHolders(joined))
    }
    await holders.end()
    return countChanges(groups, listed)
  })
}

type Listed = [id: bigint, count: number]

/** Each transfer of a group is a row that was copied: a transfer that the table has fails the copying. */
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

/** Copies minted tokens straight into their table, at less than half the cost of a merge. Tokens that the table has are staged for a merge. */
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

/** The places of some hashes in a list of hashes, in ascending order. */
function placesOf(list: string, hashes: ReadonlySet<string>): number[] {
  const size = 33
  return [...hashes].map((hash) => (list.indexOf(hash) - 1) / size).sort((a, b) => a - b)
}

/** Rows apart from those at some places. `added` are runs of rows, `merged` single ones. */
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

// The statements of the merge. They are planned again each time (`Transaction.fresh`), as a plan made while a table was small would later
// read all of it. Staged rows of one call name each token and each balance once. The caller holds the locks of the collections,
// so what one statement reads the next one finds unchanged.

/** All staging tables of a merge. */
export const mergeStages: readonly Stage[] = ['stage_token', 'stage_balance', 'stage_held', 'stage_sole']

/**
 * The statements of a merge whose groups are all of one partition, which they name: so a cluster runs each on one shard, and commits on one
 * node. undefined: the groups are of several.
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
 * Keeps what staged tokens were before block $2 of chain $1. Where a block is stored in parts, the first part with a token knows that. Each
 * token is looked up by its key: a join may be planned through all tokens of the partition for each of them, where statistics know of none.
 */
const saveUndo = (of: Within) => `
INSERT INTO token_undo (partition, collection_id, chain_id, block_number, token_hash, owner, minter, last_position, first_position, minted_position, transfers, erc1155)
SELECT s.partition, s.collection_id, $1, $2, s.token_hash, t.owner, t.minter, t.last_position, t.first_position, t.minted_position, t.transfers, t.erc1155
FROM stage_token s LEFT JOIN LATERAL (SELECT * FROM token t WHERE ${sameToken('t', 's')}${of('t')} LIMIT 1) t ON true
WHERE true${of('s')}
ON CONFLICT DO NOTHING`

/**
 * How many more tokens are listed after the merge of the token `t`, which keeps in `was_listed` whether it was listed before; that is false
 * for a new one.
 */
const newlyListed = '(t.amount > 0)::int - t.was_listed::int'

const selectKnown = selectHashesIn('token')

/** SQL condition: the staged transfers of ERC-721 decide who owns the token `t`, of which ERC-1155 transfers may have moved nothing. */
const takesOwner = 'excluded.last_position > coalesce(t.last_position, -1) AND NOT t.erc1155'

/** SQL of a number of the token `t` that ERC-1155 transfers add to: nothing where only ERC-721 transfers moved it. */
const summedOf = (column: string) => `CASE WHEN t.erc1155 THEN t.${column} ELSE 0 END`

/**
 * ERC-721: the latest transfer decides the owner, the earliest mint the minter. A token that is an ERC-1155 one keeps its owner, amount and
 * holders. Gives how many more tokens are listed for each token, to be added up
 * here: Citus runs the statement within a WITH apart from what counts its rows, and has those rows written to a file of the coordinator and
 * read back from there, which took twice as long. Rows come in order of the hash, as neighbours lie on one page.
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
 * ERC-1155: balances add up. Writes to staging tables how many more holders each token has, how many more pieces its balances below zero lack, and the
 * balances that are zero now. The merge keeps in `was_held` whether a balance was above zero before, and in `was_below` what it was
 * where it was below; of a new one they are false and null. Rows come in order of the key, as above.
 */
export const mergeBalances = (of: Within) => `
WITH merged AS MATERIALIZED (
  INSERT INTO balance AS b (partition, collection_id, token_hash, holder, amount)
  SELECT partition, collection_id, token_hash, holder, amount FROM stage_balance s
  WHERE true${of('s')} ORDER BY token_hash, holder
  ON CONFLICT (partition, collection_id, token_hash, holder) DO UPDATE SET
    amount = b.amount + excluded.amount,
    was_held = b.amount > 0,
    was_below = CASE WHEN b.amount < 0 THEN b.amount END
  RETURNING b.partition, b.collection_id, b.token_hash, b.holder, b.amount, (b.amount > 0)::int - b.was_held::int AS change,
    coalesce(b.was_below, 0) - least(b.amount, 0) AS lacking
)
INSERT INTO stage_held (partition, collection_id, token_hash, holder, change, lacking)
SELECT partition, collection_id, token_hash, NULL, sum(change), sum(lacking) FROM merged
GROUP BY partition, collection_id, token_hash HAVING sum(change) <> 0 OR sum(lacking) <> 0
UNION ALL
SELECT partition, collection_id, token_hash, holder, NULL, NULL FROM merged WHERE amount = 0`

/** Deletes balances that are zero now. */
export const deleteGoneBalances = (of: Within) => `
DELETE FROM balance b USING stage_held h
WHERE ${sameToken('b', 'h')} AND b.holder = h.holder${of('b', 'h')}`

/**
 * The staged tokens of ERC-1155 with how many more holders the merged balances make, and how many more pieces those below zero lack; null
 * where both stay. Every token whose
 * balances change is staged, so the join finds a token for every change.
 */
export const summedTokens = (of: Within) => `(SELECT * FROM stage_token i WHERE summed${of('i')}) s
  FULL JOIN (SELECT partition, collection_id, token_hash, change, lacking FROM stage_held i WHERE holder IS NULL${of('i')}) h
  USING (partition, collection_id, token_hash)`

/**
 * ERC-1155: amounts add up, and so do numbers of holders, which the merge of balances before it changed. An amount is what those who have
 * pieces have together: what was minted less what was burned, and what was given by those who had nothing. Some contracts mint that
 * way, in the name of the creator. An id with exactly one holder is staged, any other has no owner. What ERC-721 transfers said of the token
 * counts no more.
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

/** ERC-1155: the owner of each id that has exactly one holder, once the balances are merged. */
export const setSoleHolders = (of: Within) => `
UPDATE token t SET owner = n.owner
FROM (
  SELECT s.partition, s.collection_id, s.token_hash, (
      SELECT b.holder FROM balance b
      WHERE ${sameToken('b', 's')}${of('b')} AND b.amount > 0
      LIMIT 1
    ) AS owner
  FROM stage_sole s
  WHERE true${of('s')}
) n
WHERE ${sameToken('t', 'n')}${of('t')}
  AND t.owner IS DISTINCT FROM n.owner`

/** Records which collections got transfers of the standard that they do not have: from then on they may have tokens of both. */
export async function markMixed(tx: Transaction, groups: readonly TransferGroup[]): Promise<void> {
  for (const { collection, hasOther } of groups)
    if (hasOther)
      await tx.run('UPDATE collection SET mixed = true WHERE partition = $1 AND id = $2 AND NOT mixed', [
        collection.partition,
        collection.id,
      ])
}
