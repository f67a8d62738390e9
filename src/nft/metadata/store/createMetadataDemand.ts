import type { Database } from '../../../db/database.ts'
import { defineLists, list } from '../../../db/defineLists.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import type { RowKey } from '../../../db/rowKeys.ts'
import { lockCollection } from '../../collection/lock.ts'
import type { MetadataDemand, TokenMetadataState } from '../../demand.ts'
import type { RequestedToken } from '../../query.ts'
import { sameToken, tokenHash } from '../../transfers/tokenHash.ts'
import { parseRendered } from '../parse/renderMetadata.ts'
import { tryHosts } from './hostStore.ts'
import { requestTokenMetadata } from './queueNamed.ts'
import { requestAllMetadata } from './sweep.ts'
import { type TokenKey, tokenColumns } from './tokenKey.ts'

/** Channel that notifies workers of requested metadata. */
export const metadataDemandChannel = 'mintmark_metadata'

/** Shortest interval between reads of a token by request, so that nobody can overload its host through this server. */
const resyncPauseMs = 60_000

const stateRow = defineRow({
  place: column.int4('a.place'),
  known: column.text<TokenMetadataState['status']>('m.state').orNull(),
  reason: column.text('m.reason').orNull(),
  attempts: column.int4('coalesce(m.attempts, 0)'),
  triedAt: column.timestamptz('m.tried_at').orNull(),
  nextAt: column.timestamptz("nullif(d.due_at, 'infinity')").orNull(),
})

const placed = defineLists<TokenKey>({ place: list.int4((_, place) => place), ...tokenColumns })

const selectStates = `
SELECT ${stateRow.columns}
FROM ${placed.unnest(1, 'a')} JOIN token t ON ${sameToken('t', 'a')}
  LEFT JOIN token_metadata m ON ${sameToken('m', 't')}
  LEFT JOIN metadata_due d ON ${sameToken('d', 't')}
WHERE t.partition = ANY($2::int2[])`

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

const keyOf = ({ state, address, tokenId }: RequestedToken): TokenKey => ({
  ...{ partition: state.partition, id: state.id, hash: tokenHash(address, String(tokenId)) },
})

/** `renewMedia` requests previews of tokens of a collection again. */
export function createMetadataDemand({
  db,
  renewMedia = async () => undefined,
}: {
  db: Database
  renewMedia?: (collection: RowKey, tokens: readonly TokenKey[]) => Promise<void>
}): MetadataDemand {
  async function readStates(keys: readonly TokenKey[]): Promise<(TokenMetadataState | undefined)[]> {
    const states: (TokenMetadataState | undefined)[] = keys.map(() => undefined)
    for (const row of await db.rows(selectStates, placed.lists(keys))) {
      const { place, known, ...reported } = stateRow.decode(row)
      states[place] = { status: reported.nextAt ? 'due' : (known ?? 'due'), ...reported }
    }
    return states
  }

  /** Tokens of one collection. False: none exists. */
  async function request({ partition, id }: TokenKey, tokens: readonly TokenKey[]): Promise<boolean> {
    return db.transaction(async (tx) => {
      await tx.rows(lockCollection, [partition, id])
      await tryHosts(tx, { partition, id })
      const requested = await requestTokenMetadata(tx, tokens, resyncPauseMs)
      if (requested > 0) await tx.rows('SELECT pg_notify($1, $2)', [metadataDemandChannel, ''])
      return requested > 0
    })
  }

  return {
    async resync(tokens) {
      const keys = tokens.map(keyOf)
      const requested = new Map<bigint, boolean>()
      for (const [id, ofCollection] of Map.groupBy(keys, ({ id }) => id)) {
        requested.set(id, await request(ofCollection[0]!, ofCollection))
        await renewMedia(ofCollection[0]!, ofCollection)
      }
      const states = await readStates(keys)
      return states.map((state, i) => (requested.get(keys[i]!.id) ? state : undefined))
    },
    statesOf: (tokens) => readStates(tokens.map(keyOf)),
    async resyncAll(state) {
      await db.transaction(async (tx) => {
        await tx.rows(lockCollection, [state.partition, state.id])
        await tryHosts(tx, state)
        await requestAllMetadata(tx, state)
        await tx.rows('SELECT pg_notify($1, $2)', [metadataDemandChannel, ''])
      })
    },
    async history(state, address, tokenId, limit) {
      const key = [state.partition, state.id, tokenHash(address, String(tokenId))]
      const rows = (await db.rows(selectHistory, [...key, limit])).map(metadataRow.decode)
      if (rows.length === 0 && (await db.rows(selectToken, key)).length === 0) return undefined
      const documents = rows.map(({ metadataHash, rendered, since, until }) => {
        return { metadataHash, tokenUri: rendered.token_uri, metadata: rendered.metadata, since, until }
      })
      return { metadata: documents, dropped: Number(rows[0]?.dropped ?? 0n) }
    },
  }
}
