import type { Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { uncounted } from '../../metadata/parse/countSlots.ts'
import type { CollectionState } from '../../query.ts'
import type { TraitPage, TraitPlace } from '../../traits.ts'

/** Order of the list: the columns of the index `trait_count_order`. */
const order = {
  type: `(coalesce(left(n.trait_type, 100), '') COLLATE "C")`,
  value: `(left(n.value, 100) COLLATE "C")`,
}

const traitRow = defineRow({
  documents: column.int8('(SELECT c.metadata_documents FROM collection c WHERE c.partition = $1 AND c.id = $2)'),
  typeBegins: column.text(order.type),
  valueBegins: column.text(order.value),
  hash: column.text(`encode(uuid_send(n.trait), 'hex')`),
  type: column.text('n.trait_type').orNull(),
  value: column.text('n.value'),
  tokens: column.int8('n.tokens'),
})

const selectTraits = `
SELECT ${traitRow.columns} FROM trait_count n
WHERE n.partition = $1 AND n.collection_id = $2 AND (${order.type}, ${order.value}, n.trait) > ($3, $4, $5::uuid)
ORDER BY ${order.type}, ${order.value}, n.trait LIMIT $6`

/** Before every trait, as the JSON of a value is never empty. */
const start: TraitPlace = ['', '', uncounted]

/**
 * A page of a collection's traits, by type and value. The order never changes, so a walk neither repeats nor skips a trait that exists during the
 * whole walk. Counts and the number of tokens with metadata are of one snapshot.
 */
export async function readTraits(
  sql: Sql,
  options: { state: CollectionState; after: TraitPlace | null; limit: number },
): Promise<TraitPage> {
  const { state, after, limit } = options
  const values = [state.partition, state.id, ...(after ?? start), limit + 1]
  const rows = (await sql.rows(selectTraits, values)).map(traitRow.decode)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    traits: shown.map(({ type, value, tokens, documents }) => ({
      type,
      value,
      tokens: Number(tokens),
      documents: Number(documents),
    })),
    next: last ? [last.typeBegins, last.valueBegins, last.hash] : null,
  }
}

/** Number of a collection's trait values. */
export async function countTraitValues(sql: Sql, { partition, id }: CollectionState): Promise<number> {
  const [row] = await sql.rows<[bigint]>(
    'SELECT count(*) FROM trait_count n WHERE n.partition = $1 AND n.collection_id = $2',
    [partition, id],
  )
  return Number(row?.[0] ?? 0n)
}
