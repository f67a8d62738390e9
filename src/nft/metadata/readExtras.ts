import { createHash } from 'node:crypto'
import type { Sql } from '../../db/database.ts'
import type { CollectionState, RecordOptions } from '../query.ts'
import type { RecordExtras } from '../record.ts'
import { askForMedia } from './mediaStore.ts'
import { uncounted } from './metadataDocument.ts'
import { type MediaRow, renderMedia } from './renderMedia.ts'
import { fillTraitCounts } from './renderMetadata.ts'

/** What records have only where it is asked for, by token hash as 32 hex digits. */
export type ReadExtras = Map<string, RecordExtras>

type Row = [hash: string, normalized: string | null, traits: string[], mediaUrl: string | null]

const selectExtras = `
SELECT replace(token_hash::text, '-', ''), CASE WHEN $4 THEN normalized END, traits::text[], CASE WHEN $5 THEN media_url END
FROM token_metadata WHERE partition = $1 AND collection_id = $2 AND token_hash = ANY($3::uuid[])`

/** Reads them for the tokens of a page, in three queries at most. */
export async function readExtras(
  sql: Sql,
  request: { state: CollectionState; hashes: readonly string[]; options: RecordOptions; publicUrl: string },
): Promise<ReadExtras> {
  const { state, hashes, options, publicUrl } = request
  const rows = await sql.rows<Row>(selectExtras, [state.partition, state.id, hashes, options.normalized, options.media])
  const counts = options.normalized ? await readTraitCounts(sql, state, rows) : new Map<string, bigint>()
  const media = options.media ? await readMedia(sql, state, rows) : new Map<string, MediaRow>()
  return new Map(
    rows.map(([hash, normalized, traits, url]): [string, RecordExtras] => [
      hash,
      {
        normalized:
          normalized === null
            ? 'null'
            : fillTraitCounts(
                normalized,
                traits.map((trait) => counts.get(trait)),
              ),
        media: url === null ? 'null' : renderMedia(url, media.get(urlHash(url)), publicUrl),
      },
    ]),
  )
}

async function readTraitCounts(sql: Sql, state: CollectionState, rows: readonly Row[]): Promise<Map<string, bigint>> {
  const traits = new Set(rows.flatMap((row) => row[2]))
  traits.delete(dashed(uncounted))
  const counts = await sql.rows<[string, bigint]>(
    'SELECT trait, tokens FROM trait_count WHERE partition = $1 AND collection_id = $2 AND trait = ANY($3::uuid[])',
    [state.partition, state.id, [...traits]],
  )
  return new Map(counts)
}

/** Previews of these addresses; those that nobody asked for yet are begun. */
async function readMedia(sql: Sql, state: CollectionState, rows: readonly Row[]): Promise<Map<string, MediaRow>> {
  const urls = new Map(rows.flatMap((row) => (row[3] === null ? [] : [[urlHash(row[3]), row[3]] as const])))
  if (urls.size === 0) return new Map()
  const known = await sql.rows<[string, ...MediaRow]>(
    `SELECT url_hash, status, mimetype, category, parent_hash, sizes, updated_at FROM media
     WHERE partition = $1 AND collection_id = $2 AND url_hash = ANY($3::uuid[])`,
    [state.partition, state.id, [...urls.keys()]],
  )
  const found = new Map(known.map(([hash, ...row]): [string, MediaRow] => [hash, row]))
  const missing = [...urls].filter(([hash]) => !found.has(hash))
  if (missing.length > 0)
    await askForMedia(
      sql,
      state,
      missing.map(([urlHash, url]) => ({ urlHash, url })),
    )
  return found
}

/** md5 of an address, as Postgres writes a uuid. */
export function urlHash(url: string): string {
  return dashed(createHash('md5').update(url).digest('hex'))
}

function dashed(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
