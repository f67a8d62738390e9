import type { Transaction } from '../../db/database.ts'
import { rowKeys } from '../../db/rowKeys.ts'
import type { Within } from '../../db/staging/stagingTables.ts'
import { sameToken } from '../transfers/tokenHash.ts'

/** Changed rows of a merge: these staging tables, and unstaged tokens by lists of hashes in PostgreSQL's format. */
export type HolderSources = { stages: readonly ('stage_token' | 'stage_undo')[]; hashes?: readonly string[] }

/** Applies changes of a merge to the holder lists of collections that have one. */
export type HolderChanges = {
  /** Must be called once the staging tables are filled, before tokens change. */
  begin(): Promise<void>
  /** Must be called once staged balances are merged, before those of zero are deleted. */
  afterBalances(): Promise<void>
  /** Must be called once all tokens are changed. */
  end(): Promise<void>
}

const nothing: HolderChanges = { begin: async () => {}, afterBalances: async () => {}, end: async () => {} }

/**
 * Whether any of the collections has a holder list. The caller holds the locks of all of them, as `buildHolders` does
 * of one.
 */
export async function keepsHolders(
  tx: Transaction,
  collections: readonly { partition: number; id: bigint }[],
  of: Within,
): Promise<boolean> {
  const kept = await tx.rows(selectKept(of), rowKeys.lists(collections))
  return kept.length > 0
}

/** Whether any collection with rows in one of the staging tables has a holder list. */
export async function keepsHoldersOf(tx: Transaction, stages: HolderSources['stages'], of: Within): Promise<boolean> {
  for (const stage of stages) {
    const kept = await tx.fresh.rows(`SELECT 1 FROM ${stage} s ${joinIndex(of)} WHERE true${of('s')} LIMIT 1`)
    if (kept.length > 0) return true
  }
  return false
}

/** `kept`: some of the collections have a holder list. `of`: their common partition. */
export function createHolderChanges(
  tx: Transaction,
  { kept, sources, of }: { kept: boolean; sources: HolderSources; of: Within },
): HolderChanges {
  if (!kept) return nothing
  const hashes = sources.hashes ?? []
  const stageOwners = (sign: '' | '-') =>
    tx.fresh.run(stageOwnersOf(sources, of, sign), hashes.length > 0 ? [hashes.flatMap(hashesOf)] : [])
  return {
    async begin() {
      await stageOwners('-')
    },
    async afterBalances() {
      await tx.fresh.run(stageBalancesOf(of))
    },
    async end() {
      await stageOwners('')
      await tx.fresh.run(countHolders(of))
      await tx.fresh.run(addHolders(of))
      await tx.fresh.run(deleteRemoved(of))
    },
  }
}

const hashesOf = (text: string) => text.slice(1, -1).split(',')

const selectKept = (of: Within) => `
SELECT 1 FROM ${rowKeys.unnest(1, 'k')}
JOIN holder_index i ON i.partition = k.partition AND i.collection_id = k.id${of('i')} LIMIT 1`

const joinIndex = (of: Within) =>
  `JOIN holder_index i ON i.partition = s.partition AND i.collection_id = s.collection_id${of('i')}`

/** The current owners of changed ERC-721 tokens. */
function stageOwnersOf({ stages, hashes = [] }: HolderSources, of: Within, sign: '' | '-'): string {
  const touched = stages.map(
    (stage) =>
      `SELECT s.partition, s.collection_id, s.token_hash, i.tokens_to FROM ${stage} s ${joinIndex(of)} WHERE true${of('s')}`,
  )
  if (hashes.length > 0)
    touched.push(`SELECT i.partition, i.collection_id, s.hash, i.tokens_to FROM holder_index i CROSS JOIN unnest($1::uuid[]) s (hash)
  WHERE true${of('i')}`)
  return `
INSERT INTO stage_holder (partition, collection_id, holder, amount, tokens)
SELECT t.partition, t.collection_id, t.owner, ${sign}t.amount, ${sign}1
FROM (${touched.join(' UNION ')}) s JOIN token t ON ${sameToken('t', 's')}${of('t')}
WHERE NOT t.erc1155 AND t.amount > 0 AND t.owner IS NOT NULL AND t.token_hash <= s.tokens_to`
}

/** A staged balance is a change, so the previous balance is known. Only positive balances count. */
const stageBalancesOf = (of: Within) => `
INSERT INTO stage_holder (partition, collection_id, holder, amount, tokens)
SELECT b.partition, b.collection_id, b.holder, greatest(b.amount, 0) - greatest(b.amount - s.amount, 0),
  (b.amount > 0)::int - (b.amount - s.amount > 0)::int
FROM stage_balance s ${joinIndex(of)} JOIN balance b ON ${sameToken('b', 's')} AND b.holder = s.holder${of('b')}
WHERE (b.token_hash, b.holder) <= (i.balances_to, i.balances_holder)${of('s')}`

const changed = (of: Within) => `
  SELECT s.partition, s.collection_id, s.holder, sum(s.amount) AS amount, sum(s.tokens)::int8 AS tokens FROM stage_holder s
  WHERE true${of('s')} GROUP BY s.partition, s.collection_id, s.holder HAVING sum(s.amount) <> 0 OR sum(s.tokens) <> 0`

const sameHolder = (row: string, staged: string) =>
  `${row}.partition = ${staged}.partition AND ${row}.collection_id = ${staged}.collection_id AND ${row}.holder = ${staged}.holder`

const countHolders = (of: Within) => `
UPDATE holder_index i SET holders = i.holders + n.holders, pieces = i.pieces + n.pieces FROM (
  SELECT s.partition, s.collection_id, sum((coalesce(h.tokens, 0) + s.tokens > 0)::int - (h.tokens IS NOT NULL)::int) AS holders, sum(s.amount) AS pieces
  FROM (${changed(of)}) s LEFT JOIN holder h ON ${sameHolder('h', 's')}${of('h')}
  GROUP BY s.partition, s.collection_id
) n
WHERE i.partition = n.partition AND i.collection_id = n.collection_id${of('i')}`

const addHolders = (of: Within) => `
INSERT INTO holder AS h (partition, collection_id, holder, amount, tokens)
SELECT s.partition, s.collection_id, s.holder, s.amount, s.tokens FROM (${changed(of)}) s ORDER BY s.partition, s.collection_id, s.holder
ON CONFLICT (partition, collection_id, holder) DO UPDATE SET amount = h.amount + excluded.amount, tokens = h.tokens + excluded.tokens`

const deleteRemoved = (of: Within) => `
DELETE FROM holder h USING stage_holder s WHERE ${sameHolder('h', 's')} AND h.tokens = 0${of('h', 's')}`
