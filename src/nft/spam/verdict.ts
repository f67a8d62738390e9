import type { Sql } from '../../db/database.ts'
import { raisedVersion } from '../collection/version.ts'

/** What a collection counts as, and why. */
export type Verdict = {
  possibleSpam: boolean
  verified: boolean
  /** 0 to 100, by the rules of docs/spam.md. */
  score: number
  /** Lists that name the collection, and one line for each rule that applies: strangers' text. */
  reasons: string[]
  /** The operator's word, over lists and rules; null: none. */
  spamOverride: boolean | null
  verifiedOverride: boolean | null
  /** Null: not judged yet. */
  assessedAt: Date | null
}

type Key = { partition: number; id: bigint }
type Row = [boolean, boolean, number, string[], boolean | null, boolean | null, Date | null]

export async function readVerdict(sql: Sql, { partition, id }: Key): Promise<Verdict | undefined> {
  const [row] = await sql.rows<Row>(
    `SELECT coalesce(spam_override, possible_spam), coalesce(verified_override, verified), spam_score, spam_reasons,
       spam_override, verified_override, assessed_at
     FROM collection WHERE partition = $1 AND id = $2`,
    [partition, id],
  )
  if (!row) return undefined
  const [possibleSpam, verified, score, reasons, spamOverride, verifiedOverride, assessedAt] = row
  return { possibleSpam, verified, score, reasons, spamOverride, verifiedOverride, assessedAt }
}

/** Sets the operator's word; undefined leaves it as it is, null takes it back. Pages change at once. */
export async function setOverrides(
  sql: Sql,
  { partition, id }: Key,
  words: { spam: boolean | null | undefined; verified: boolean | null | undefined },
): Promise<void> {
  await sql.run(
    `UPDATE collection SET ${raisedVersion()},
       spam_override = CASE WHEN $3 THEN $4::boolean ELSE spam_override END,
       verified_override = CASE WHEN $5 THEN $6::boolean ELSE verified_override END
     WHERE partition = $1 AND id = $2`,
    [partition, id, words.spam !== undefined, words.spam ?? null, words.verified !== undefined, words.verified ?? null],
  )
}
