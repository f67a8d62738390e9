import { defineLists, list } from '../../../db/defineLists.ts'
import { sameToken } from '../../transfers/tokenHash.ts'
import { uncounted } from '../parse/countSlots.ts'
import type { StoredTrait } from '../parse/storedTraits.ts'

/** The column `traits` of `stage_metadata` in COPY's text format. Metadata has at least one: `uncounted`. */
export function traitField(traits: readonly StoredTrait[]): string {
  return traits.length === 0 ? `{${uncounted}}` : `{${traits.map(({ hash }) => hash).join(',')}}`
}

const traitLists = defineLists<StoredTrait>({
  trait: list.uuid(({ hash }) => hash),
  trait_type: list.text(({ type }) => type),
  value: list.text(({ value }) => value),
})

/** Unique texts of traits for `settleTraits`, in order of first occurrence. */
export function traitTexts(metadata: Iterable<{ traits: readonly StoredTrait[] }>): unknown[] {
  const texts = new Map<string, StoredTrait>()
  for (const { traits } of metadata)
    for (const trait of traits) if (!texts.has(trait.hash)) texts.set(trait.hash, trait)
  return traitLists.lists([...texts.values()])
}

/** Joins by columns of both: with the collection as parameters, PostgreSQL planned to read all its traits for each change. */
const sameTrait = 'c.partition = n.partition AND c.collection_id = n.collection_id AND c.trait = n.trait'

/**
 * Stores the new traits of the staged tokens of collection ($1, $2); must run before the tokens' rows have them. The texts of these traits, from
 * `traitTexts`, are the parameters from $3. Counts the tokens of each trait, and returns how many traits tokens gained or lost: if any,
 * `traits_version` must be incremented. A token counts once per trait, however often its metadata repeats it; unused traits are deleted. The texts
 * are separate from the tokens: in each row, they made a transaction a third slower.
 */
export const settleTraits = `
WITH changes AS MATERIALIZED (
  SELECT partition, collection_id, token_hash, trait, sum(change) AS change FROM (
    SELECT s.partition, s.collection_id, s.token_hash, t.trait, 1 AS change
    FROM stage_metadata s CROSS JOIN LATERAL unnest(s.traits) AS t (trait)
    WHERE s.state = 'ok'
    UNION ALL
    SELECT m.partition, m.collection_id, m.token_hash, t.trait, -1
    FROM stage_metadata s JOIN token_metadata m USING (partition, collection_id, token_hash)
      CROSS JOIN LATERAL unnest(m.traits) AS t (trait)
    WHERE s.state = 'ok'
  ) each
  GROUP BY partition, collection_id, token_hash, trait HAVING sum(change) <> 0
), lost AS (
  DELETE FROM token_trait x USING changes n WHERE ${sameToken('x', 'n')} AND x.trait = n.trait AND n.change < 0
), won AS (
  INSERT INTO token_trait (partition, collection_id, trait, token_hash)
  SELECT partition, collection_id, trait, token_hash FROM changes WHERE change > 0 ORDER BY trait, token_hash
), counts AS MATERIALIZED (
  SELECT partition, collection_id, trait, sum(change) AS tokens, min(trait_type) AS trait_type, min(value) AS value FROM (
    SELECT partition, collection_id, trait, change, NULL AS trait_type, NULL AS value
    FROM changes WHERE trait <> '${uncounted}'
    UNION ALL
    SELECT $1::int2, $2::int8, trait, 0, trait_type, value FROM ${traitLists.unnest(3)}
  ) each
  GROUP BY partition, collection_id, trait HAVING sum(change) <> 0
), emptied AS (
  DELETE FROM trait_count c USING counts n WHERE ${sameTrait} AND c.tokens + n.tokens <= 0
), lowered AS (
  UPDATE trait_count c SET tokens = c.tokens + n.tokens FROM counts n
  WHERE ${sameTrait} AND n.tokens < 0 AND c.tokens + n.tokens > 0
), raised AS (
  INSERT INTO trait_count AS c (partition, collection_id, trait, tokens, trait_type, value)
  SELECT partition, collection_id, trait, tokens, trait_type, value FROM counts WHERE tokens > 0 ORDER BY trait
  ON CONFLICT (partition, collection_id, trait) DO UPDATE SET tokens = c.tokens + excluded.tokens
)
SELECT count(*) FROM changes`

/** Part of a statement that deleted the rows of `gone` with their `traits`: also subtracts these from the counts. */
export const forgetTraits = `
lost AS (
  DELETE FROM token_trait x USING gone g CROSS JOIN LATERAL unnest(g.traits) AS t (trait)
  WHERE ${sameToken('x', 'g')} AND x.trait = t.trait
), changes AS (
  SELECT partition, collection_id, trait, count(DISTINCT token_hash) AS tokens
  FROM gone CROSS JOIN LATERAL unnest(traits) AS t (trait) GROUP BY partition, collection_id, trait
), emptied AS (
  DELETE FROM trait_count c USING changes n
  WHERE c.partition = n.partition AND c.collection_id = n.collection_id AND c.trait = n.trait AND c.tokens <= n.tokens
), counted AS (
  UPDATE trait_count c SET tokens = c.tokens - n.tokens FROM changes n
  WHERE c.partition = n.partition AND c.collection_id = n.collection_id AND c.trait = n.trait AND c.tokens > n.tokens
)`
