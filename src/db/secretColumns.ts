/** What `queryReadOnly` shows instead of a column that may not be told, as an expression of SQL over that column. */
type Shown = (column: string) => string

const hidden: Shown = (column) => `CASE WHEN ${column} IS NULL THEN NULL ELSE '***' END`

/** Names stay, as they do in the answers of the API. */
const hiddenValues: Shown = (column) =>
  `(SELECT coalesce(json_object_agg(name, '***'), '{}') FROM json_object_keys(${column}) AS t (name))`

/** The path and the query of a webhook's address are what many a receiver tells its senders by. */
const hostAlone: Shown = (column) =>
  `regexp_replace(${column}, '^([a-z]+://)([^/?#@]*@)?([^/?#]*)([/?#].+)?$', '\\1\\3/***', 'i')`

/** Columns that hold a secret, by table. Every column that is named like one stands here, or the test says why not. */
export const secretColumns: Readonly<Record<string, Readonly<Record<string, Shown>>>> = {
  // Keys of signatures and of cursors among them.
  setting: { value: hidden },
  // The configuration's own key may be a password that a person chose.
  api_key: { hash: hidden },
  stream: { webhook_secret: hidden, headers: hiddenValues, webhook_url: hostAlone },
  webhook_secret: { secret: hidden },
  webhook_url: { url: hostAlone },
}
