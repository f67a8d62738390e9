import type { Transaction } from '../../db/database.ts'
import { type Within, within, withStagingTables } from '../../db/staging/stagingTables.ts'
import { createHolderChanges, keepsHoldersOf } from '../holders/holderChanges.ts'
import { revertMetadata } from '../metadata/store/revertMetadata.ts'
import { firstPlaceOf, type Place } from '../transfers/position.ts'
import { sameToken, tokenHashSql } from '../transfers/tokenHash.ts'
import { byErc1155, isUndone, movedSome, type UndoneTransfers, undoneOf, zeroBytes } from '../transfers/transfer.ts'
import { noteUndone } from '../wallets/walletUpdates.ts'
import { deleteEmptyBalances, mergeBalances, mergeStaging, setSoleHolders, summedTokens } from './balances.ts'
import { revertSkipped } from './skippedTransfers.ts'
import type { CountChange } from './storeTransfers.ts'
import { revertRanges } from './transferRanges.ts'

export const undoStaging = { stages: [...mergeStaging, 'stage_undo', 'stage_holder'], byKeys: true } as const

/** Staging tables of the tokens that an undo changes. */
const touchedStaging = ['stage_undo', 'stage_token'] as const

/** A block may have transfers of collections in any partition. */
const ofAny = within(undefined)

/** All transfers above a block of the collections whose tokens are staged. */
const whole: UndoneTransfers = {
  collections: '(SELECT DISTINCT partition, collection_id, address FROM stage_undo) c',
  of: ofAny,
  isPart: false,
}

/**
 * Undoes every transfer above block `fork` of all followed collections of a chain, exactly. `except`: collections whose transfers are undone in
 * parts.
 */
export async function revertTransfers(
  tx: Transaction,
  chainId: bigint,
  fork: bigint,
  except: readonly bigint[] = [],
): Promise<CountChange[]> {
  await revertSkipped(tx, chainId, fork)
  return withStagingTables(tx, undoStaging, () => revertWhole(tx, chainId, fork, except))
}

async function revertWhole(
  tx: Transaction,
  chainId: bigint,
  fork: bigint,
  except: readonly bigint[],
): Promise<CountChange[]> {
  const touched = await tx.fresh.run(stageUndo, [chainId, fork, except])
  if (touched === 0) return []
  const { listed, deleted } = await revertStaged(tx, { chainId, fork, from: firstPlaceOf(fork + 1n) }, whole)
  await tx.fresh.run(deleteUndo, [chainId, fork, except])
  await revertMetadata(tx)
  return listed.map((change) => ({ ...change, transfers: -(deleted.get(change.id) ?? 0n) }))
}

/**
 * Undoes the transfers `undone`, and restores the tokens from `stage_undo`. Returns for each collection the change of its listed tokens, and the
 * number of deleted transfers.
 */
export async function revertStaged(
  tx: Transaction,
  { chainId, fork, from }: { chainId: bigint; fork: bigint; from: Place },
  undone: UndoneTransfers,
): Promise<{ listed: { partition: number; id: bigint; listed: bigint }[]; deleted: Map<bigint, bigint> }> {
  const { of } = undone
  const place = [from.position, from.item]
  await tx.fresh.run(stageReversedBalances(undone), place)
  await tx.fresh.run(stageReversedAmounts(undone), place)
  const kept = await keepsHoldersOf(tx, touchedStaging, of)
  const holders = createHolderChanges(tx, { kept, sources: { stages: touchedStaging }, of })
  await holders.begin()
  const before = await tx.fresh.rows<[number, bigint, bigint]>(selectListedNow(of))
  await noteUndone(tx, { chainId, keptBlock: fork, from }, undone)
  await tx.fresh.run(mergeBalances(of))
  await holders.afterBalances()
  await tx.fresh.run(deleteEmptyBalances(of))
  await tx.fresh.run(restoreSummed(of))
  await tx.fresh.run(restoreTokens(of))
  await tx.fresh.run(deleteNewTokens(of))
  await tx.fresh.run(setSoleHolders(of))
  await holders.end()
  await tx.fresh.run(revertRangeMoves(undone), place)
  const deleted = await tx.fresh.rows<[bigint, bigint]>(deleteTransfers(undone), place)
  await revertRanges(tx, chainId, from.position, undone)
  const after = await tx.fresh.rows<[number, bigint, bigint]>(selectListedNow(of))
  const listedAfter = new Map(after.map(([, id, listed]) => [id, listed]))
  const listed = before.map(([partition, id, listed]) => ({
    partition,
    id,
    listed: (listedAfter.get(id) ?? 0n) - listed,
  }))
  return { listed, deleted: new Map(deleted) }
}

/**
 * Deletes undo data of final blocks: those of a chain up to `number`, or all. `except`: collections whose rows are kept, as parts of blocks also need
 * them.
 */
export async function forgetUndo(
  tx: Transaction,
  chainId: bigint,
  except: readonly bigint[],
  number?: bigint,
): Promise<void> {
  const all = 'DELETE FROM token_undo WHERE chain_id = $1'
  const kept = (place: number) => (except.length === 0 ? '' : ` AND NOT collection_id = ANY($${place}::int8[])`)
  const ids = except.length === 0 ? [] : [except]
  if (number === undefined) await tx.run(`${all}${kept(2)}`, [chainId, ...ids])
  else await tx.run(`${all} AND block_number <= $2${kept(3)}`, [chainId, number, ...ids])
}

// The statements in the order of a transaction. They also use the staging tables of `storeTransfers`, which are initially empty.

/** Tokens of chain $1 that blocks above $2 changed, as they were before the first of these blocks, without collections $3. */
const stageUndo = `
INSERT INTO stage_undo
SELECT DISTINCT ON (u.partition, u.collection_id, u.token_hash)
  u.partition, u.collection_id, u.token_hash, c.address, coalesce(u.erc1155, false), u.owner, u.minter, u.last_position, u.first_position, u.minted_position, u.transfers
FROM token_undo u JOIN collection c ON c.partition = u.partition AND c.id = u.collection_id
WHERE u.chain_id = $1 AND u.block_number > $2 AND NOT u.collection_id = ANY($3::int8[])
ORDER BY u.partition, u.collection_id, u.token_hash, u.block_number`

/** Amounts of the undone ERC-1155 transfers by holder, with reversed sign. */
const stageReversedBalances = ({ collections }: UndoneTransfers) => `
INSERT INTO stage_balance (partition, collection_id, token_hash, holder, amount)
SELECT m.partition, m.collection_id, m.token_hash, m.holder, sum(m.amount)
FROM (
  SELECT t.partition, t.collection_id, ${tokenHashSql('c.address', 't.token_id')} AS token_hash, side.holder, side.amount
  FROM ${collections} JOIN ${undoneOf} AND ${byErc1155('t')} AND ${movedSome('t')}
  CROSS JOIN LATERAL (VALUES (t.from_address, t.amount), (t.to_address, -t.amount)) AS side (holder, amount)
  WHERE side.holder <> ${zeroBytes}
) m
GROUP BY m.partition, m.collection_id, m.token_hash, m.holder
HAVING sum(m.amount) <> 0`

/** Minted and burned amounts of these transfers by id, with reversed sign; 0 for an id that only changed holders. */
const stageReversedAmounts = ({ collections }: UndoneTransfers) => `
INSERT INTO stage_token (partition, collection_id, token_hash, amount, summed)
SELECT partition, collection_id, token_hash, sum(amount), true
FROM (
  SELECT t.partition, t.collection_id, ${tokenHashSql('c.address', 't.token_id')} AS token_hash,
    CASE WHEN t.to_address = ${zeroBytes} THEN t.amount ELSE 0 END
      - CASE WHEN t.from_address = ${zeroBytes} THEN t.amount ELSE 0 END AS amount
  FROM ${collections} JOIN ${undoneOf} AND ${byErc1155('t')} AND ${movedSome('t')}
) m
GROUP BY partition, collection_id, token_hash`

/** Number of currently listed tokens among the staged ones, by collection. */
const selectListedNow = (of: Within) => `
SELECT u.partition, u.collection_id, count(*) FILTER (WHERE t.amount > 0)
FROM (
  SELECT partition, collection_id, token_hash FROM (
    SELECT s.partition, s.collection_id, s.token_hash FROM stage_undo s WHERE true${of('s')}
    UNION ALL
    SELECT s.partition, s.collection_id, s.token_hash FROM stage_token s WHERE true${of('s')}
  ) s GROUP BY partition, collection_id, token_hash
) u LEFT JOIN token t ON ${sameToken('t', 'u')}${of('t')}
GROUP BY u.partition, u.collection_id`

/** ERC-1155: restores amounts and holder counts, after the balances. Stages ids with exactly one holder, as in the merge. */
const restoreSummed = (of: Within) => `
WITH restored AS (
  UPDATE token t SET
    amount = t.amount + n.amount,
    holders = t.holders + n.change,
    owner = CASE WHEN t.holders + n.change = 1 THEN t.owner END
  FROM (
    SELECT partition, collection_id, token_hash, s.amount + coalesce(h.lacking, 0) AS amount, coalesce(h.change, 0) AS change FROM ${summedTokens(of)}
  ) n
  WHERE ${sameToken('t', 'n')}${of('t')}
  RETURNING t.partition, t.collection_id, t.token_hash, t.holders
)
INSERT INTO stage_sole SELECT partition, collection_id, token_hash FROM restored WHERE holders = 1`

/** A token that was an ERC-1155 one before stays one; for one that became it in an undone block, the balances are already deleted. */
const restoreTokens = (of: Within) => `
UPDATE token t SET
  erc1155 = u.summed,
  owner = CASE WHEN u.summed THEN t.owner ELSE u.owner END,
  amount = CASE WHEN u.summed THEN t.amount ELSE (u.owner IS NOT NULL)::int END,
  holders = CASE WHEN u.summed THEN t.holders ELSE (u.owner IS NOT NULL)::int END,
  minter = u.minter, last_position = u.last_position, first_position = u.first_position, minted_position = u.minted_position, transfers = u.transfers
FROM stage_undo u
WHERE ${sameToken('t', 'u')}${of('t', 'u')}
  AND u.transfers IS NOT NULL`

const deleteNewTokens = (of: Within) => `
DELETE FROM token t USING stage_undo u
WHERE ${sameToken('t', 'u')}${of('t', 'u')}
  AND u.transfers IS NULL`

/** Subtracts the tokens of undone ConsecutiveTransfers beyond the first of each, while the transfers still exist. */
const revertRangeMoves = ({ collections, of }: UndoneTransfers) => `
UPDATE collection o SET range_moves = o.range_moves - m.moves
FROM (
  SELECT t.partition, t.collection_id, count(*) AS moves
  FROM ${collections}
  JOIN collection r ON r.partition = c.partition AND r.id = c.collection_id AND r.range_moves > 0
  JOIN ${undoneOf} AND t.item > 0 AND NOT ${byErc1155('t')}
  GROUP BY t.partition, t.collection_id
) m
WHERE o.partition = m.partition AND o.id = m.collection_id${of('o')}`

/** Returns the number of deleted transfers by collection. */
const deleteTransfers = ({ collections, of }: UndoneTransfers) => `
WITH gone AS (
  DELETE FROM transfer t USING ${collections}
  WHERE t.partition = c.partition AND t.collection_id = c.collection_id AND ${isUndone}${of('t')}
  RETURNING t.collection_id
)
SELECT collection_id, count(*) FROM gone GROUP BY collection_id`

const deleteUndo =
  'DELETE FROM token_undo WHERE chain_id = $1 AND block_number > $2 AND NOT collection_id = ANY($3::int8[])'
