/** The SQL expression that `queryReadOnly` returns instead of a secret column. */
type Shown = (column: string) => string

const hidden: Shown = (column) => `CASE WHEN ${column} IS NULL THEN NULL ELSE '***' END`

/** The names in an object stay visible, as in the API. */
const hiddenValues: Shown = (column) =>
  `(SELECT coalesce(json_object_agg(name, '***'), '{}') FROM json_object_keys(${column}) AS t (name))`

/** The path and query of a webhook's URL are hidden: many receivers authenticate senders by a secret in them. */
const hostAlone: Shown = (column) =>
  `regexp_replace(${column}, '^([a-z]+://)([^/?#@]*@)?([^/?#]*)([/?#].+)?$', '\\1\\3/***', 'i')`

/** Columns that contain a secret, by table. `test/dbQuery.test.ts` finds columns with the name of a secret that are not listed here. */
export const secretColumns: Readonly<Record<string, Readonly<Record<string, Shown>>>> = {
  // The keys of signatures and of cursors are settings.
  setting: { value: hidden },
  // The configured key may be a password that a person chose.
  api_key: { hash: hidden },
  stream: { webhook_secret: hidden, headers: hiddenValues, webhook_url: hostAlone },
  webhook_secret: { secret: hidden },
  webhook_url: { url: hostAlone },
}
