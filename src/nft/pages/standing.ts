import { CollectionMovedError } from '../../errors.ts'
import { standing } from '../collection/coveredTo.ts'
import type { CollectionState } from '../query.ts'

/** SQL of where a collection stands at the moment of a statement; its partition and id as SQL. */
export const standingOf = ({ partition, id }: { partition: string; id: string }) =>
  `(SELECT ${standing} FROM collection c LEFT JOIN chain h ON h.id = c.chain_id WHERE c.partition = ${partition} AND c.id = ${id})`

/**
 * Throws CollectionMovedError where rows are of another block than a state that was read before them. Of the same version they are of the same
 * block, however far the chain is now; of the same block only documents differ, which an answer may show.
 */
export function refuseMoved(state: CollectionState, found: Buffer | string | null | undefined): void {
  if (state.standing === null) return
  const now = typeof found === 'string' ? found : (found?.toString('latin1') ?? '')
  if (now === state.standing) return
  const [version, ...block] = state.standing.split(' ')
  const [versionNow, ...blockNow] = now.split(' ')
  if (version !== versionNow && block.join() !== blockNow.join())
    throw new CollectionMovedError('the collection moved while the page was read; ask again')
}
