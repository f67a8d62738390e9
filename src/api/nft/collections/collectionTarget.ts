import { createHash } from 'node:crypto'
import { rowName } from '../../http/etag.ts'
import type { PageState, PageTarget } from '../../http/pageTarget.ts'
import type { Collection, Snapshot } from './collections.ts'
import type { ReportedStatus } from './reportCollection.ts'

/** A list of a collection, independent of the collection's state. */
export type CollectionTarget = Omit<PageTarget, 'answer'> & {
  collection: Collection
  /** State of the list for this state of its collection; `now` on the clock of performance.now(). */
  at(snapshot: Snapshot, now: number): PageState
}

export function createCollectionTarget(options: {
  route: string
  collection: Collection
  /** Operation and query as text. */
  name: string
  /** Headers besides those of every page of a collection. */
  headers?: ((state: Snapshot['state']) => string[]) | undefined
  /** Further inputs of the bytes of a page: the secret of the database, which signs cursors, and the version of the program. */
  salt: string
}): CollectionTarget {
  const { route, collection, name, headers, salt } = options
  const mark = createHash('sha256').update(salt).update(name).digest('base64url').slice(0, 16)
  let made: { snapshot: Snapshot; reported: ReportedStatus; state: PageState } | undefined

  function at(snapshot: Snapshot, now: number): PageState {
    const reported = snapshot.report.at(now)
    if (made?.snapshot === snapshot && made.reported === reported) return made.state
    const { version, report } = snapshot
    const synced = reported.status === 'SYNCED'
    // The status is in the body, and can change without a new version.
    const row = rowName(snapshot.state)
    const etag = `W/"${row}.${version}.${synced ? 1 : 0}.${mark}"`
    const state = {
      name: `${row}${synced ? '+' : '-'}${name}`,
      version,
      etag,
      headers: headers ? [...reported.headers, ...headers(snapshot.state)] : reported.headers,
      confirmedAt: report.confirmedAt,
    }
    made = { snapshot, reported, state }
    return state
  }

  return {
    route,
    collection,
    at,
    current(now) {
      const snapshot = collection.recent.fresh(now)
      return snapshot?.kind === 'page' && !snapshot.isDue ? at(snapshot, now) : undefined
    },
  }
}
