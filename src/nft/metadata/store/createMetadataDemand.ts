import type { Database } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import type { Address } from '../../../util/hex.ts'
import { lockCollection } from '../../collection/lock.ts'
import type { MetadataDemand, TokenMetadataState } from '../../demand.ts'
import type { CollectionState } from '../../query.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import { parseRendered } from '../parse/renderMetadata.ts'
import { tryHosts } from './hostStore.ts'
import { requestTokenMetadata } from './queueNamed.ts'
import { requestAllMetadata } from './sweep.ts'

/** Channel that notifies workers of requested metadata. */
export const metadataDemandChannel = 'mintmark_metadata'

/** Shortest interval between reads of a token by request, so that nobody can overload its host through this server. */
const resyncPauseMs = 60_000

const stateRow = defineRow({
  known: column.text<TokenMetadataState['status']>('m.state').orNull(),
  reason: column.text('m.reason').orNull(),
  attempts: column.int4('coalesce(m.attempts, 0)'),
  triedAt: column.timestamptz('m.tried_at').orNull(),
  nextAt: column.timestamptz("nullif(d.due_at, 'infinity')").orNull(),
})

const selectState = `
SELECT ${stateRow.columns}
FROM token t
  LEFT JOIN token_metadata m USING (partition, collection_id, token_hash)
  LEFT JOIN metadata_due d USING (partition, collection_id, token_hash)
WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash = $3`

const metadataRow = defineRow({
  metadataHash: column
    .bytea('document_hash')
    .map((hash) => hash.toString('hex'))
    .orNull(),
  rendered: column.text('record').map(parseRendered),
  since: column.timestamptz('since').orNull(),
  until: column.timestamptz('until').orNull(),
  /** Number of deleted older versions of the token's metadata. */
  dropped: column.int8(`(
  SELECT coalesce(sum(d.dropped), 0)::int8 FROM token_document d
  WHERE d.partition = $1 AND d.collection_id = $2 AND d.token_hash = $3
)`),
})

const selectHistory = `
SELECT ${metadataRow.columns} FROM (
  SELECT m.document_hash, m.record, m.fetched_at AS since, NULL::timestamptz AS until
  FROM token_metadata m
  WHERE m.partition = $1 AND m.collection_id = $2 AND m.token_hash = $3 AND m.document_hash IS NOT NULL
  UNION ALL
  SELECT d.document_hash, d.record, d.since, d.until FROM token_document d
  WHERE d.partition = $1 AND d.collection_id = $2 AND d.token_hash = $3
) documents ORDER BY until DESC NULLS FIRST LIMIT $4`

const selectToken = 'SELECT 1 FROM token WHERE partition = $1 AND collection_id = $2 AND token_hash = $3'

export function createMetadataDemand({ db }: { db: Database }): MetadataDemand {
  const keyOf = (state: CollectionState, address: Address, tokenId: bigint): [number, bigint, string] => [
    state.partition,
    state.id,
    tokenHash(address, String(tokenId)),
  ]
  async function readState(key: unknown[]): Promise<TokenMetadataState | undefined> {
    const [row] = await db.rows(selectState, key)
    if (!row) return undefined
    const { known, ...reported } = stateRow.decode(row)
    return { status: reported.nextAt ? 'due' : (known ?? 'due'), ...reported }
  }
  return {
    async resync(state, address, tokenId) {
      const key = keyOf(state, address, tokenId)
      const queued = await db.transaction(async (tx) => {
        await tx.rows(lockCollection, [state.partition, state.id])
        await tryHosts(tx, state)
        const requested = await requestTokenMetadata(
          tx,
          [{ partition: state.partition, id: state.id, hash: key[2] }],
          resyncPauseMs,
        )
        if (requested > 0) await tx.rows('SELECT pg_notify($1, $2)', [metadataDemandChannel, ''])
        return requested > 0
      })
      return queued ? readState(key) : undefined
    },
    stateOf: (state, address, tokenId) => readState(keyOf(state, address, tokenId)),
    async resyncAll(state) {
      await db.transaction(async (tx) => {
        await tx.rows(lockCollection, [state.partition, state.id])
        await tryHosts(tx, state)
        await requestAllMetadata(tx, state)
        await tx.rows('SELECT pg_notify($1, $2)', [metadataDemandChannel, ''])
      })
    },
    async history(state, address, tokenId, limit) {
      const key = keyOf(state, address, tokenId)
      const rows = (await db.rows(selectHistory, [...key, limit])).map(metadataRow.decode)
      if (rows.length === 0 && (await db.rows(selectToken, key)).length === 0) return undefined
      const documents = rows.map(({ metadataHash, rendered, since, until }) => {
        return { metadataHash, tokenUri: rendered.token_uri, metadata: rendered.metadata, since, until }
      })
      return { metadata: documents, dropped: Number(rows[0]?.dropped ?? 0n) }
    },
  }
}
