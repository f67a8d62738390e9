import type { Database } from '../../../db/database.ts'
import type { Address } from '../../../util/hex.ts'
import { lockCollection } from '../../collection/lock.ts'
import type { MetadataDemand, TokenMetadataState } from '../../demand.ts'
import type { CollectionState } from '../../query.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import { parseRendered } from '../document/renderMetadata.ts'
import { tryHosts } from './hostStore.ts'
import { askForTokens } from './makeNamedDue.ts'
import { askForAll } from './sweep.ts'

/** The channel on which workers hear that metadata was asked for. */
export const metadataDemandChannel = 'mintmark_metadata'

/** A token is read this often at most on demand: its host must not be hammered through us. */
const resyncPauseMs = 60_000

const selectState = `
SELECT m.state, m.reason, coalesce(m.attempts, 0), m.tried_at, nullif(d.due_at, 'infinity')
FROM token t
  LEFT JOIN token_metadata m USING (partition, collection_id, token_hash)
  LEFT JOIN metadata_due d USING (partition, collection_id, token_hash)
WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash = $3`

/** With each document the number of those that are kept no more, of all that the token said. */
const selectHistory = `
SELECT document_hash, record, since, until, (
  SELECT coalesce(sum(d.dropped), 0)::int8 FROM token_document d
  WHERE d.partition = $1 AND d.collection_id = $2 AND d.token_hash = $3
) FROM (
  SELECT m.document_hash, m.record, m.fetched_at AS since, NULL::timestamptz AS until
  FROM token_metadata m
  WHERE m.partition = $1 AND m.collection_id = $2 AND m.token_hash = $3 AND m.document_hash IS NOT NULL
  UNION ALL
  SELECT d.document_hash, d.record, d.since, d.until FROM token_document d
  WHERE d.partition = $1 AND d.collection_id = $2 AND d.token_hash = $3
) documents ORDER BY until DESC NULLS FIRST LIMIT $4`

const selectToken = 'SELECT FROM token WHERE partition = $1 AND collection_id = $2 AND token_hash = $3'

type HistoryRow = [hash: Buffer | null, record: string, since: Date | null, until: Date | null, dropped: bigint]

export function createMetadataDemand({ db }: { db: Database }): MetadataDemand {
  const keyOf = (state: CollectionState, address: Address, tokenId: bigint): [number, bigint, string] => [
    state.partition,
    state.id,
    tokenHash(address, String(tokenId)),
  ]
  return {
    async resync(state, address, tokenId) {
      const key = keyOf(state, address, tokenId)
      const token = { partitions: [state.partition], collections: [state.id], hashes: [key[2]] }
      const due = await db.transaction(async (tx) => {
        await tx.rows(lockCollection, [state.partition, state.id])
        await tryHosts(tx, state)
        const asked = await askForTokens(tx, token, resyncPauseMs)
        if (asked > 0) await tx.rows('SELECT pg_notify($1, $2)', [metadataDemandChannel, ''])
        return asked > 0
      })
      if (!due) return undefined
      const [row] = await db.rows<[string | null, string | null, number, Date | null, Date | null]>(selectState, key)
      if (!row) return undefined
      const [known, reason, attempts, triedAt, nextAt] = row
      const status = nextAt ? 'due' : ((known ?? 'due') as TokenMetadataState['status'])
      return { status, reason, attempts, triedAt, nextAt }
    },
    async resyncAll(state) {
      await db.transaction(async (tx) => {
        await tx.rows(lockCollection, [state.partition, state.id])
        await tryHosts(tx, state)
        await askForAll(tx, state)
        await tx.rows('SELECT pg_notify($1, $2)', [metadataDemandChannel, ''])
      })
    },
    async history(state, address, tokenId, limit) {
      const key = keyOf(state, address, tokenId)
      const rows = await db.rows<HistoryRow>(selectHistory, [...key, limit])
      if (rows.length === 0 && (await db.rows(selectToken, key)).length === 0) return undefined
      const documents = rows.map(([hash, record, since, until]) => {
        const { token_uri, metadata } = parseRendered(record)
        return { documentHash: hash?.toString('hex') ?? null, tokenUri: token_uri, metadata, since, until }
      })
      return { documents, dropped: Number(rows[0]?.[4] ?? 0n) }
    },
  }
}
