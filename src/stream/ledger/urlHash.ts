import { hash } from 'node:crypto'
import type { Sql } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'

/** Ledger key of an address: 16 bytes, the first of which is its partition. */
export function urlHash(url: string): Buffer {
  return hash('sha256', url, 'buffer').subarray(0, 16)
}

/** SQL of the address of an attempt's row; null: unknown. */
export const urlOf = (row: string) =>
  `(SELECT u.url FROM webhook_url u WHERE u.partition = get_byte(${row}.url_hash, 0) AND u.hash = ${row}.url_hash)`

const known = defineLists<{ url: string; hash: Buffer }>({
  partition: list.int2(({ hash }) => hash[0]!),
  hash: list.bytea(({ hash }) => hash),
  url: list.text(({ url }) => url),
})

const insert = `INSERT INTO webhook_url (${known.columns}) SELECT * FROM ${known.unnest()} ON CONFLICT DO NOTHING`

/** Inserts addresses into `webhook_url`, new ones with a success rate of 100. */
export async function addUrls(sql: Sql, urls: readonly string[]): Promise<void> {
  await sql.run(insert, known.lists(urls.map((url) => ({ url, hash: urlHash(url) }))))
}
