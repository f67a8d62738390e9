import type { Sql } from '../../db/database.ts'
import { CollectionMovedError } from '../../errors.ts'
import { standing } from '../collection/coveredTo.ts'
import type { CollectionState } from '../query.ts'

/** SQL of where a collection stands at the moment of a statement; its partition and id as SQL. */
export const standingOf = ({ partition, id }: { partition: string; id: string }) =>
  `(SELECT ${standing} FROM collection c LEFT JOIN chain h ON h.id = c.chain_id WHERE c.partition = ${partition} AND c.id = ${id})`

/**
 * Throws CollectionMovedError where rows are of another block than a state that was read before them. Of the same version they are of the same
 * block, however far the chain is now; of the same block only documents differ, which an answer may show unless it is `ranked`: it says how many
 * documents its places by rarity are of.
 */
export function refuseMoved(
  state: CollectionState,
  found: Buffer | string | null | undefined,
  { ranked = false } = {},
): void {
  if (state.standing === null) return
  const now = typeof found === 'string' ? found : (found?.toString('latin1') ?? '')
  if (now === state.standing) return
  const [version, ...block] = state.standing.split(' ')
  const [versionNow, ...blockNow] = now.split(' ')
  if (version !== versionNow && (ranked || block.join() !== blockNow.join()))
    throw new CollectionMovedError('the collection moved while the page was read; ask again')
}

/** The same of several collections, whose rows were read before this is called. */
export async function refuseMovedOf(sql: Sql, states: readonly CollectionState[]): Promise<void> {
  const known = new Map(states.filter((state) => state.standing !== null).map((state) => [state.id, state]))
  if (known.size === 0) return
  const values = [[...known.values()].map(({ partition }) => partition), [...known.keys()]]
  const found = new Map(await sql.rows<[bigint, string]>(selectStandings, values))
  for (const state of known.values()) refuseMoved(state, found.get(state.id))
}

const selectStandings = `
SELECT c.id, ${standing} FROM unnest($1::int2[], $2::int8[]) AS a (partition, id)
JOIN collection c ON c.partition = a.partition AND c.id = a.id LEFT JOIN chain h ON h.id = c.chain_id`
