import { useMemo, useRef, useState } from 'preact/hooks'
import type { ApiCall } from '../api/apiCall.ts'
import { type ApiFault, faultOf } from '../api/apiFault.ts'
import { useServices } from './services.ts'
import { type UsedPoll, usePolled } from './usePolled.ts'

export type CursorPage<T> = { result: T[]; cursor: string | null }

export type UsedPages<P> = {
  /** The first page, kept fresh. */
  first: UsedPoll<P>
  /** All pages read so far, the first one as it was when the second one was requested. Empty: nothing is there yet. */
  pages: readonly P[]
  /** Reads the next page; undefined: this is the end. */
  more: (() => void) | undefined
  /** The list begins otherwise than when its first page was read: gives the pages back for a new first one. */
  anew: (() => void) | undefined
  busy: boolean
  fault: ApiFault | undefined
}

/** What was requested last of the list whose first page is `target`, until it came. */
type Asked = { target: string; busy: boolean; fault?: ApiFault }

/** A list that is read page by page as somebody requests more. `callOf` gives the request of a page. */
export function usePages<P extends CursorPage<unknown>>(
  callOf: (cursor: string | undefined) => ApiCall<P>,
  { everyMs }: { everyMs?: number } = {},
): UsedPages<P> {
  const { send } = useServices()
  const firstCall = callOf(undefined)
  const first = usePolled(firstCall, everyMs === undefined ? {} : { everyMs })
  const [walked, setWalked] = useState<{ target: string; pages: P[]; began: string } | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const { target } = firstCall
  const begins = useMemo(() => JSON.stringify(first.data?.result), [first.data])
  const pages = walked?.target === target ? walked.pages : first.data ? [first.data] : []
  const cursor = pages.at(-1)?.cursor ?? null
  const own = asked?.target === target ? asked : null
  const latest = useRef<Asked | null>(null)
  const ask = (next: Asked | null) => {
    latest.current = next
    setAsked(next)
  }
  const more = async () => {
    if (cursor === null || own?.busy) return
    const question: Asked = { target, busy: true }
    ask(question)
    try {
      const { data } = await send(callOf(cursor))
      // Another list, or this one from its beginning, was requested meanwhile.
      if (latest.current !== question) return
      setWalked({ target, pages: [...pages, data], began: JSON.stringify(pages[0]!.result) })
      ask(null)
    } catch (error) {
      if (latest.current === question) ask({ target, busy: false, fault: faultOf(error) })
    }
  }
  const anew = () => {
    ask(null)
    setWalked(null)
  }
  const isOld = walked?.target === target && begins !== undefined && walked.began !== begins
  return {
    first,
    pages,
    more: cursor === null ? undefined : more,
    anew: isOld ? anew : undefined,
    busy: own?.busy ?? false,
    fault: own?.fault,
  }
}
