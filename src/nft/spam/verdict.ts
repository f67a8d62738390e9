import type { Sql } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { rowKeys } from '../../db/rowKeys.ts'
import { raisedVersion } from '../collection/version.ts'

const verdictRow = defineRow({
  possibleSpam: column.bool('coalesce(spam_override, possible_spam)'),
  verified: column.bool('coalesce(verified_override, verified)'),
  /** 0 to 100, by the rules of docs/spam.md. */
  score: column.int2('spam_score'),
  /** Lists that contain the collection, and a line per matching rule: untrusted text. */
  reasons: column.textArray('spam_reasons'),
  /** The operator's override of lists and rules; null: none. */
  spamOverride: column.bool('spam_override').orNull(),
  verifiedOverride: column.bool('verified_override').orNull(),
  /** null: not assessed yet. */
  assessedAt: column.timestamptz('assessed_at').orNull(),
})

/** Spam and verified status of a collection, with reasons. */
export type Verdict = RowOf<typeof verdictRow>

type Key = { partition: number; id: bigint }

export async function readVerdict(sql: Sql, { partition, id }: Key): Promise<Verdict | undefined> {
  const [row] = await sql.rows(`SELECT ${verdictRow.columns} FROM collection WHERE partition = $1 AND id = $2`, [
    partition,
    id,
  ])
  return row && verdictRow.decode(row)
}

const scoreRow = defineRow({
  id: column.int8('c.id'),
  score: column.int2('c.spam_score'),
  reasons: column.textArray('c.spam_reasons'),
})

/** Scores and reasons of collections, by id. */
export async function readScores(
  sql: Pick<Sql, 'rows'>,
  keys: readonly Key[],
): Promise<ReadonlyMap<bigint, Pick<Verdict, 'score' | 'reasons'>>> {
  const rows = await sql.rows(
    `SELECT ${scoreRow.columns} FROM ${rowKeys.unnest(1, 'a')}
     JOIN collection c ON c.partition = a.partition AND c.id = a.id WHERE c.partition = ANY($1::int2[])`,
    rowKeys.lists(keys),
  )
  return new Map(rows.map(scoreRow.decode).map(({ id, ...score }) => [id, score]))
}

/** Sets the operator's overrides; undefined does not change one, null removes it. Increments the collection's version. */
export async function setOverrides(
  sql: Sql,
  { partition, id }: Key,
  overrides: { spam: boolean | null | undefined; verified: boolean | null | undefined },
): Promise<void> {
  await sql.run(
    `UPDATE collection SET ${raisedVersion()},
       spam_override = CASE WHEN $3 THEN $4::boolean ELSE spam_override END,
       verified_override = CASE WHEN $5 THEN $6::boolean ELSE verified_override END
     WHERE partition = $1 AND id = $2`,
    [
      partition,
      id,
      overrides.spam !== undefined,
      overrides.spam ?? null,
      overrides.verified !== undefined,
      overrides.verified ?? null,
    ],
  )
}
