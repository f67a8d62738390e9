import { hash } from 'node:crypto'
import type { Sql } from '../../db/database.ts'

/** What an address is known by in the ledger. Its first byte is its partition. */
export function urlHash(url: string): Buffer {
  return hash('sha256', url, 'buffer').subarray(0, 16)
}

/** Makes addresses known, with a success rate of 100 where they are new. */
export async function addUrls(sql: Sql, urls: readonly string[]): Promise<void> {
  const hashes = urls.map(urlHash)
  await sql.run(
    `INSERT INTO webhook_url (partition, hash, url) SELECT * FROM unnest($1::smallint[], $2::bytea[], $3::text[]) ON CONFLICT DO NOTHING`,
    [hashes.map((h) => h[0]), hashes, urls],
  )
}
