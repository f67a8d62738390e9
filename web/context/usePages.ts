import { useMemo, useRef, useState } from 'preact/hooks'
import type { ApiCall } from '../api/apiCall.ts'
import { type ApiFault, faultOf } from '../api/apiFault.ts'
import { useServices } from './services.ts'
import { type UsedPoll, usePolled } from './usePolled.ts'

export type CursorPage<T> = { result: T[]; cursor: string | null; total?: number | null }

export type UsedPages<P> = {
  /** The first page, kept fresh. */
  first: UsedPoll<P>
  /** All pages read so far; the first one as of when the second was requested. Empty: none yet. */
  pages: readonly P[]
  /** Reads the next page; undefined: no more pages. */
  more: (() => void) | undefined
  /** The first page or the list's total has changed since: discards the pages that were read. */
  restart: (() => void) | undefined
  busy: boolean
  fault: ApiFault | undefined
}

/** The last page request of the list that begins at `target`, until it succeeds. */
type Requested = { target: string; busy: boolean; fault?: ApiFault }

/** A list that is read page by page on demand. `callOf` returns the request of a page. */
export function usePages<P extends CursorPage<unknown>>(
  callOf: (cursor: string | undefined) => ApiCall<P>,
  { everyMs }: { everyMs?: number } = {},
): UsedPages<P> {
  const { send } = useServices()
  const firstCall = callOf(undefined)
  const first = usePolled(firstCall, everyMs === undefined ? {} : { everyMs })
  const [walked, setWalked] = useState<{ target: string; pages: P[]; began: string } | null>(null)
  const [requested, setRequested] = useState<Requested | null>(null)
  const { target } = firstCall
  const begins = useMemo(() => first.data && beginOf(first.data), [first.data])
  const pages = walked?.target === target ? walked.pages : first.data ? [first.data] : []
  const cursor = pages.at(-1)?.cursor ?? null
  const own = requested?.target === target ? requested : null
  const latest = useRef<Requested | null>(null)
  const request = (next: Requested | null) => {
    latest.current = next
    setRequested(next)
  }
  const more = async () => {
    if (cursor === null || own?.busy) return
    const question: Requested = { target, busy: true }
    request(question)
    try {
      const { data } = await send(callOf(cursor))
      // Another list, or a restart of this one, was requested meanwhile.
      if (latest.current !== question) return
      setWalked({ target, pages: [...pages, data], began: beginOf(pages[0]!) })
      request(null)
    } catch (error) {
      if (latest.current === question) request({ target, busy: false, fault: faultOf(error) })
    }
  }
  const restart = () => {
    request(null)
    setWalked(null)
  }
  const isOld = walked?.target === target && begins !== undefined && walked.began !== begins
  return {
    first,
    pages,
    more: cursor === null ? undefined : more,
    restart: isOld ? restart : undefined,
    busy: own?.busy ?? false,
    fault: own?.fault,
  }
}

/** What is compared to detect a change of the list. A total, which some lists have, also changes if an entry of a later page is added or removed. */
function beginOf({ result, total }: CursorPage<unknown>): string {
  return JSON.stringify([result, total])
}
