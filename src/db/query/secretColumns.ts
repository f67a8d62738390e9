/** The SQL expression over a secret column that `queryReadOnly` shows instead of the column. */
type Shown = (column: string) => string

const hidden: Shown = (column) => `CASE WHEN ${column} IS NULL THEN NULL ELSE '***' END`

/** The names in an object stay, as in the answers of the API. */
const hiddenValues: Shown = (column) =>
  `(SELECT coalesce(json_object_agg(name, '***'), '{}') FROM json_object_keys(${column}) AS t (name))`

/** The path and query of a webhook's address are hidden: many receivers know their senders by a secret in them. */
const hostAlone: Shown = (column) =>
  `regexp_replace(${column}, '^([a-z]+://)([^/?#@]*@)?([^/?#]*)([/?#].+)?$', '\\1\\3/***', 'i')`

/** Columns that hold a secret, by table. `test/dbQuery.test.ts` finds columns that are named like a secret and are not listed here. */
export const secretColumns: Readonly<Record<string, Readonly<Record<string, Shown>>>> = {
  // The keys of signatures and of cursors are settings.
  setting: { value: hidden },
  // The configuration's own key may be a password that a person chose.
  api_key: { hash: hidden },
  stream: { webhook_secret: hidden, headers: hiddenValues, webhook_url: hostAlone },
  webhook_secret: { secret: hidden },
  webhook_url: { url: hostAlone },
}
