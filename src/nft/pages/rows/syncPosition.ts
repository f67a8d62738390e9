import type { Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { CollectionMovedError } from '../../../util/errors.ts'
import { syncPositionColumns, syncPositionOf } from '../../collection/coveredTo.ts'
import type { CollectionState } from '../../query.ts'

/** SQL of a collection's version in the snapshot of a statement, as text; its partition and id as SQL. */
export const versionOf = ({ partition, id }: { partition: string; id: string }) =>
  `(SELECT c.version::text FROM collection c WHERE c.partition = ${partition} AND c.id = ${id})`

/** The version at which rows were read; null: the collection was removed. */
type Found = Buffer | bigint | null | undefined

/**
 * Throws CollectionMovedError if rows are of another block than the state that was read before them. Rows of the same version are of the same block,
 * wherever the chain is now. For another version, `sql` reads its block. If the blocks are equal, only metadata differs, which is acceptable unless
 * the answer is `ranked`: it states the number of ranked tokens.
 */
export async function rejectMoved(
  sql: Sql,
  state: CollectionState,
  found: Found,
  { ranked = false } = {},
): Promise<void> {
  const version = String(found)
  if (state.syncPosition === null || version === String(state.version)) return
  const [row] = ranked ? [] : await sql.rows(selectSyncPosition, [state.partition, state.id])
  const now = row && partsOf(syncPositionOf(syncPositionRow.decode(row)))
  // A later version may again be of the state's block while the rows are not: a fork may have been undone in between.
  if (now?.version !== version || now.block !== partsOf(state.syncPosition).block) throw moved()
}

/** The same for several collections. `versions`: JSON object of the versions at which their rows were read. */
export async function rejectMovedOf(
  sql: Sql,
  states: readonly CollectionState[],
  versions: Buffer | null = null,
): Promise<void> {
  const read: Record<string, string> = JSON.parse(versions?.toString('latin1') ?? '{}')
  const isMoved = ({ id, version, syncPosition }: CollectionState) =>
    syncPosition !== null && read[String(id)] !== String(version)
  const known = new Map(states.filter(isMoved).map((state) => [state.id, state]))
  if (known.size === 0) return
  const values = [[...known.values()].map(({ partition }) => partition), [...known.keys()]]
  const rows = await sql.rows(selectSyncPositions, values)
  const found = new Map(rows.map(syncPositionRow.decode).map((row) => [row.id, partsOf(syncPositionOf(row))]))
  for (const { id, syncPosition } of known.values()) {
    const [before, now] = [partsOf(syncPosition!), found.get(id)]
    if (now === undefined || (now.version !== before.version && now.block !== before.block)) throw moved()
  }
}

function partsOf(syncPosition: string): { version: string; block: string } {
  const [version = '', ...block] = syncPosition.split(' ')
  return { version, block: block.join(' ') }
}

const moved = () => new CollectionMovedError('the collection changed while the page was read; retry')

const syncPositionRow = defineRow({ id: column.int8('c.id'), ...syncPositionColumns })

const selectSyncPosition = `
SELECT ${syncPositionRow.columns} FROM collection c LEFT JOIN chain h ON h.id = c.chain_id WHERE c.partition = $1 AND c.id = $2`

const selectSyncPositions = `
SELECT ${syncPositionRow.columns} FROM unnest($1::int2[], $2::int8[]) AS a (partition, id)
JOIN collection c ON c.partition = a.partition AND c.id = a.id LEFT JOIN chain h ON h.id = c.chain_id`
