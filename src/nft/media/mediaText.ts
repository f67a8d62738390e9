/** Stands before each path on this server in a ready text, in place of the server's own address. */
export const publicUrlSlot = '\x1d'

/**
 * SQL of the member `media` of a record as JSON text, from a row of the table `media`. Where the row is missing and all of it is null, it is
 * the text of a preview of `url` that is only being asked for.
 */
export const mediaText = (row: string, url = `${row}.url`) => `'{"status":"' || coalesce(${row}.status, 'processing')
  || '","original_media_url":' || to_json(coalesce(${row}.url, ${url}))::text
  || coalesce(',"mimetype":' || to_json(${row}.mimetype)::text, '')
  || coalesce(',"category":' || to_json(${row}.category)::text, '')
  || coalesce(',"parent_hash":"' || ${row}.parent_hash || '"', '')
  || ',"updatedAt":"' || to_char(coalesce(${row}.updated_at, (SELECT now())) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'
  || coalesce(',"media_collection":' || replace(${row}.sizes, '"url":"/', '"url":"' || chr(${publicUrlSlot.charCodeAt(0)}) || '/'), '') || '}'`
