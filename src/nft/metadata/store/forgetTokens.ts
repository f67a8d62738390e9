import type { Transaction } from '../../../db/database.ts'
import { defineLists, list } from '../../../db/defineLists.ts'
import { lookUpInOrder, withStagingTables } from '../../../db/staging/stagingTables.ts'
import { lockCollectionsOf } from '../../collection/lock.ts'
import { raisedVersion } from '../../collection/version.ts'
import { sameToken } from '../../transfers/tokenHash.ts'
import { dropOldest } from './metadataHistory.ts'
import { forgetTraits } from './settleTraits.ts'
import { type TokenKey, tokenLists } from './tokenKey.ts'

const stageNamed = `INSERT INTO stage_gone SELECT DISTINCT v.* FROM ${tokenLists.unnest()}`

/** Keeps only tokens in the staging table that are not listed any more. */
const dropListed = `DELETE FROM stage_gone g USING token t WHERE ${sameToken('t', 'g')} AND t.amount > 0`

/** Queued rows of the staged tokens, by their key (`lookUpInOrder`): in reading order, each token would read the whole queue of its collection. */
const selectQueued = `
SELECT d.* FROM stage_gone g CROSS JOIN LATERAL (
  SELECT d.partition, d.collection_id, encode(uuid_send(d.token_hash), 'hex'), d.priority, d.due_at::text FROM metadata_due d
  WHERE d.partition = g.partition AND d.collection_id = g.collection_id AND d.token_hash >= g.token_hash AND d.token_hash <= g.token_hash
  ORDER BY d.token_hash) d`

type Queued = [partition: number, id: bigint, hash: string, priority: number, dueAt: string]

const queuedRow = defineLists<Queued>({
  partition: list.int2(([partition]) => partition),
  collection_id: list.int8(([, id]) => id),
  token_hash: list.uuid(([, , hash]) => hash),
  priority: list.int2(([, , , priority]) => priority),
  // As text, which is exact and may be infinity.
  due_at: { type: 'timestamptz', of: ([, , , , dueAt]) => dueAt },
})

/** With priority and due time, both indexes have the whole key. A row that changed since then stays, and its next attempt ends here again. */
const dropQueued = `
DELETE FROM metadata_due d USING ${queuedRow.unnest()}
WHERE ${sameToken('d', 'v')} AND d.priority = v.priority AND d.due_at = v.due_at`

/** Moves metadata of the staged tokens to their history, and subtracts their traits from the counts. */
const dropMetadata = `
WITH gone AS (
  DELETE FROM token_metadata m USING stage_gone g WHERE ${sameToken('m', 'g')}
  RETURNING m.partition, m.collection_id, m.token_hash, m.fetched_at, m.document_hash, m.record, m.traits
), kept AS (
  INSERT INTO token_document (partition, collection_id, token_hash, until, since, document_hash, record)
  SELECT partition, collection_id, token_hash, now(), fetched_at, document_hash, record FROM gone
  WHERE document_hash IS NOT NULL ON CONFLICT DO NOTHING
), ${forgetTraits}
UPDATE collection c SET metadata_tried = metadata_tried - n.tokens, metadata_documents = metadata_documents - n.documents,
  traits_version = traits_version + 1, ${raisedVersion('c')} FROM (
  SELECT partition, collection_id, count(*) AS tokens, count(document_hash) AS documents FROM gone GROUP BY partition, collection_id
) n WHERE c.partition = n.partition AND c.id = n.collection_id`

/**
 * Removes tokens that were burned, or removed by a reorg: they are not due any more, and their traits do not count. Given tokens that are still
 * listed do not change.
 */
export async function forgetTokens(tx: Transaction, tokens: readonly TokenKey[]): Promise<void> {
  if (tokens.length === 0) return
  await withStagingTables(tx, { stages: ['stage_gone'], byKeys: true }, async () => {
    const staged = await tx.fresh.run(stageNamed, tokenLists.lists(tokens))
    if ((await tx.fresh.run(dropListed)) === staged) return
    await lockCollectionsOf(tx, 'stage_gone')
    const queued = await lookUpInOrder(tx, () => tx.fresh.rows<Queued>(selectQueued))
    if (queued.length > 0) await tx.fresh.run(dropQueued, queuedRow.lists(queued))
    await tx.fresh.run(dropMetadata)
    await tx.fresh.run(dropOldest('stage_gone'))
  })
}
