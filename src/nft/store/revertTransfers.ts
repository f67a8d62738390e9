import type { Transaction } from '../../db/database.ts'
import { withStages } from '../../db/stages/stages.ts'
import { within } from '../../db/stages/within.ts'
import { revertMetadata } from '../metadata/store/revertMetadata.ts'
import { firstPositionOf } from '../transfers/position.ts'
import { sameToken, tokenHashSql } from '../transfers/tokenHash.ts'
import { zeroBytes } from '../transfers/transfer.ts'
import { noteUndone } from '../wallets/walletDue.ts'
import { revertLeftOut } from './leftOut.ts'
import {
  type CountChange,
  deleteGoneBalances,
  mergeBalances,
  mergeStages,
  setSoleHolders,
  summedTokens,
} from './storeTransfers.ts'
import { revertRanges } from './transferRanges.ts'

const undoStages = { stages: [...mergeStages, 'stage_undo'], byKeys: true } as const

/** Takes back every transfer above block `fork` of all followed collections of a chain, exactly. */
export async function revertTransfers(tx: Transaction, chainId: bigint, fork: bigint): Promise<CountChange[]> {
  await revertLeftOut(tx, chainId, fork)
  return withStages(tx, undoStages, () => revertStaged(tx, chainId, fork))
}

/** The same of a single collection. */
export async function revertCollection(
  tx: Transaction,
  { chainId, id }: { chainId: bigint; id: bigint },
  fork: bigint,
): Promise<CountChange[]> {
  return withStages(tx, undoStages, () => revertStaged(tx, chainId, fork, id))
}

/** A block may have moved collections of any partitions. */
const ofAny = within(undefined)

async function revertStaged(tx: Transaction, chainId: bigint, fork: bigint, only?: bigint): Promise<CountChange[]> {
  const position = firstPositionOf(fork + 1n)
  const touched = await tx.fresh.run(stageUndo, [chainId, fork, only ?? null])
  if (touched === 0) return []
  const before = await tx.fresh.rows<[number, bigint, bigint]>(selectListedNow)
  await tx.fresh.run(stageReversedBalances, [position])
  await tx.fresh.run(stageReversedAmounts, [position])
  await tx.fresh.run(mergeBalances(ofAny))
  await tx.fresh.run(deleteGoneBalances(ofAny))
  await tx.fresh.run(restoreSummed)
  await tx.fresh.run(restoreTokens)
  await tx.fresh.run(deleteNewTokens)
  await tx.fresh.run(setSoleHolders(ofAny))
  await tx.fresh.run(revertRangeMoves, [position])
  await noteUndone(tx, chainId, position)
  const gone = await tx.fresh.rows<[bigint, bigint]>(deleteTransfers, [position])
  await revertRanges(tx, chainId, position)
  await tx.fresh.run(deleteUndo, [chainId, fork, only ?? null])
  const after = await tx.fresh.rows<[number, bigint, bigint]>(selectListedNow)
  await revertMetadata(tx)
  const listedAfter = new Map(after.map(([, id, listed]) => [id, listed]))
  const transfersGone = new Map(gone)
  return before.map(([partition, id, listed]) => ({
    partition,
    id,
    listed: (listedAfter.get(id) ?? 0n) - listed,
    transfers: -(transfersGone.get(id) ?? 0n),
  }))
}

/**
 * Forgets what undoes blocks that can no longer be undone: those of a chain up to `number`, or all. `except`: the collections whose rows are
 * kept, as a part of a block undoes them too.
 */
export async function forgetUndo(
  tx: Transaction,
  chainId: bigint,
  number?: bigint,
  except: readonly bigint[] = [],
): Promise<void> {
  const all = 'DELETE FROM token_undo WHERE chain_id = $1'
  if (number === undefined) await tx.run(all, [chainId])
  else if (except.length === 0) await tx.run(`${all} AND block_number <= $2`, [chainId, number])
  else await tx.run(`${all} AND block_number <= $2 AND NOT collection_id = ANY($3::int8[])`, [chainId, number, except])
}

// The statements, in the order in which a transaction runs them. They use the stages of `storeTransfers` too, which are empty at first.

/** Tokens of chain $1 that blocks above $2 touched, as they were before the first of these blocks. $3: of one collection; null: of all. */
const stageUndo = `
INSERT INTO stage_undo
SELECT DISTINCT ON (u.partition, u.collection_id, u.token_hash)
  u.partition, u.collection_id, u.token_hash, c.address, c.standard = 'ERC1155', u.owner, u.minter, u.last_position, u.first_position, u.minted_position, u.transfers
FROM token_undo u JOIN collection c ON c.partition = u.partition AND c.id = u.collection_id
WHERE u.chain_id = $1 AND u.block_number > $2 AND ($3::int8 IS NULL OR u.collection_id = $3)
ORDER BY u.partition, u.collection_id, u.token_hash, u.block_number`

/** What ERC-1155 transfers from position $1 on moved, by holder and with the sign reversed. */
const stageReversedBalances = `
INSERT INTO stage_balance (partition, collection_id, token_hash, holder, amount)
SELECT m.partition, m.collection_id, m.token_hash, m.holder, sum(m.amount)
FROM (
  SELECT t.partition, t.collection_id, ${tokenHashSql('c.address', 't.token_id')} AS token_hash, side.holder, side.amount
  FROM (SELECT DISTINCT partition, collection_id, address FROM stage_undo WHERE summed) c
  JOIN transfer t ON t.partition = c.partition AND t.collection_id = c.collection_id AND t.position >= $1
  CROSS JOIN LATERAL (VALUES (t.from_address, t.amount), (t.to_address, -t.amount)) AS side (holder, amount)
  WHERE side.holder <> ${zeroBytes}
) m
GROUP BY m.partition, m.collection_id, m.token_hash, m.holder
HAVING sum(m.amount) <> 0`

/** What the same transfers minted and burned, by id and with the sign reversed; 0 of an id that only changed hands. */
const stageReversedAmounts = `
INSERT INTO stage_token (partition, collection_id, token_hash, amount, summed)
SELECT partition, collection_id, token_hash, sum(amount), true
FROM (
  SELECT partition, collection_id, token_hash, 0 AS amount FROM stage_undo WHERE summed
  UNION ALL
  SELECT t.partition, t.collection_id, ${tokenHashSql('c.address', 't.token_id')} AS token_hash,
    CASE WHEN t.to_address = ${zeroBytes} THEN t.amount ELSE 0 END
      - CASE WHEN t.from_address = ${zeroBytes} THEN t.amount ELSE 0 END AS amount
  FROM (SELECT DISTINCT partition, collection_id, address FROM stage_undo WHERE summed) c
  JOIN transfer t ON t.partition = c.partition AND t.collection_id = c.collection_id AND t.position >= $1
) m
GROUP BY partition, collection_id, token_hash`

/** By collection: how many of the staged tokens are listed now. */
const selectListedNow = `
SELECT u.partition, u.collection_id, count(*) FILTER (WHERE t.amount > 0)
FROM stage_undo u LEFT JOIN token t USING (partition, collection_id, token_hash)
GROUP BY u.partition, u.collection_id`

/** ERC-1155: amounts and holder counts as they were, once the balances are. Ids with exactly one holder are staged, as in the merge. */
const restoreSummed = `
WITH restored AS (
  UPDATE token t SET
    amount = t.amount + n.amount,
    holders = t.holders + n.change,
    owner = CASE WHEN t.holders + n.change = 1 THEN t.owner END
  FROM (
    SELECT partition, collection_id, token_hash, s.amount + coalesce(h.lacking, 0) AS amount, coalesce(h.change, 0) AS change FROM ${summedTokens(ofAny)}
  ) n
  WHERE ${sameToken('t', 'n')}
  RETURNING t.partition, t.collection_id, t.token_hash, t.holders
)
INSERT INTO stage_sole SELECT partition, collection_id, token_hash FROM restored WHERE holders = 1`

const restoreTokens = `
UPDATE token t SET
  owner = CASE WHEN u.summed THEN t.owner ELSE u.owner END,
  amount = CASE WHEN u.summed THEN t.amount ELSE (u.owner IS NOT NULL)::int END,
  holders = CASE WHEN u.summed THEN t.holders ELSE (u.owner IS NOT NULL)::int END,
  minter = u.minter, last_position = u.last_position, first_position = u.first_position, minted_position = u.minted_position, transfers = u.transfers
FROM stage_undo u
WHERE ${sameToken('t', 'u')}
  AND u.transfers IS NOT NULL`

const deleteNewTokens = `
DELETE FROM token t USING stage_undo u
WHERE ${sameToken('t', 'u')}
  AND u.transfers IS NULL`

/** Takes back what ConsecutiveTransfers from position $1 on moved beyond the first token of each, counted while the transfers are stored. */
const revertRangeMoves = `
UPDATE collection c SET range_moves = c.range_moves - m.moves
FROM (
  SELECT t.partition, t.collection_id, count(*) AS moves
  FROM (SELECT DISTINCT partition, collection_id FROM stage_undo WHERE NOT summed) u
  JOIN collection o ON o.partition = u.partition AND o.id = u.collection_id AND o.range_moves > 0
  JOIN transfer t ON t.partition = u.partition AND t.collection_id = u.collection_id AND t.position >= $1 AND t.item > 0
  GROUP BY t.partition, t.collection_id
) m
WHERE c.partition = m.partition AND c.id = m.collection_id`

/** Gives by collection how many transfers are gone. */
const deleteTransfers = `
WITH gone AS (
  DELETE FROM transfer t USING (SELECT DISTINCT partition, collection_id FROM stage_undo) c
  WHERE t.partition = c.partition AND t.collection_id = c.collection_id AND t.position >= $1
  RETURNING t.collection_id
)
SELECT collection_id, count(*) FROM gone GROUP BY collection_id`

const deleteUndo =
  'DELETE FROM token_undo WHERE chain_id = $1 AND block_number > $2 AND ($3::int8 IS NULL OR collection_id = $3)'
