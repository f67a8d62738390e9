import type { Database } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { type Finder, type Found, type SearchOptions, searchWithin } from '../../db/searchWithin.ts'
import { streamPartition } from '../../sync/partition.ts'
import { hexToBuffer } from '../../util/hex.ts'
import type { StreamStatus } from '../demand.ts'

const foundRow = defineRow({
  id: column.uuid('s.id::text'),
  tag: column.text('s.tag'),
  description: column.text('s.description'),
  status: column.text<StreamStatus>('s.status'),
  chainIds: column.int8Array('s.chain_ids'),
})

/** A stream in search results. */
export type FoundStream = RowOf<typeof foundRow>

/** Most streams that a search scans. */
const mostLookedAt = 10_000

/** Searches streams by a prefix of their id, a part of their tag, or a watched address. */
export function searchStreams(db: Database, options: SearchOptions): Promise<Found<FoundStream>> {
  const { text } = options
  const finders: Finder<FoundStream>[] = [lookedAt(text)]
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) finders.unshift(byId(text))
  return searchWithin(db, options, ({ id }) => id, finders)
}

function byId(id: string): Finder<FoundStream> {
  const text = `SELECT ${foundRow.columns} FROM stream s WHERE s.partition = $1 AND s.id = $2`
  return async (sql) => ({ items: (await sql.rows(text, [streamPartition(id), id])).map(foundRow.decode) })
}

function lookedAt(text: string): Finder<FoundStream> {
  const address = /^0x[0-9a-f]{40}$/i.test(text) ? hexToBuffer(text) : null
  return async (sql, most) => {
    const rows = await sql.rows(
      `SELECT ${foundRow.columns} FROM (
         SELECT *, $2::bytea IS NOT NULL AND EXISTS (
           SELECT 1 FROM stream_address a WHERE a.partition = stream.partition AND a.stream_id = stream.id AND a.address = $2) AS watches
         FROM stream ORDER BY partition, id LIMIT ${mostLookedAt}) s
       WHERE strpos(lower(s.tag), lower($1)) > 0 OR starts_with(s.id::text, lower($1))
         OR s.watches
       LIMIT $3`,
      [text, address, most],
    )
    const beyond = await sql.rows(`SELECT 1 FROM stream ORDER BY partition, id OFFSET ${mostLookedAt} LIMIT 1`)
    return { items: rows.map(foundRow.decode), cutShort: beyond.length > 0 }
  }
}
