import type { Database, Sql } from '../../db/database.ts'
import type { Attempt } from './attempt.ts'
import { urlHash } from './urlHash.ts'

/** Pauses of addresses after a 429 that last at least this long are stored, in milliseconds. */
export const storedFromMs = 60_000

/**
 * Stores long pauses of the attempts' addresses. So other processes obey them too, also after a restart. Each address
 * has its own statement, as transactions with several could deadlock.
 */
export async function storePauses(db: Database, attempts: readonly Attempt[]): Promise<void> {
  const longest = new Map<string, { hash: Buffer; ms: number }>()
  for (const { urlHash: hash, pauseMs = 0 } of attempts) {
    const key = hash.toString('latin1')
    if (pauseMs >= storedFromMs) longest.set(key, { hash, ms: Math.max(pauseMs, longest.get(key)?.ms ?? 0) })
  }
  for (const { hash, ms } of longest.values())
    await db.run(
      `UPDATE webhook_url SET paused_until = now() + $3 * interval '1 millisecond'
       WHERE partition = $1 AND hash = $2 AND (paused_until IS NULL OR paused_until < now() + $3 * interval '1 millisecond')`,
      [hash[0], hash, ms],
    )
}

/** Milliseconds until the stored pause of each paused address ends. */
export async function readPauses(sql: Sql): Promise<Map<string, number>> {
  return new Map(
    await sql.rows<[string, number]>(
      `SELECT url, extract(epoch FROM paused_until - now())::float8 * 1000 FROM webhook_url WHERE paused_until > now()`,
    ),
  )
}

/** Resets the success rate of an address to 100, and ends its pause. Its row must exist. */
export async function resetUrl(sql: Sql, url: string): Promise<void> {
  const hash = urlHash(url)
  await sql.run(
    `UPDATE webhook_url SET rate = 100, paused_until = NULL
     WHERE partition = $1 AND hash = $2 AND (rate <> 100 OR paused_until IS NOT NULL)`,
    [hash[0], hash],
  )
}
