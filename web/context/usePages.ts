import { useState } from 'preact/hooks'
import type { ApiCall } from '../api/apiCall.ts'
import { ApiFault } from '../api/apiFault.ts'
import { useServices } from './services.ts'
import { type UsedPoll, usePolled } from './usePolled.ts'

export type CursorPage<T> = { result: T[]; cursor: string | null }

export type UsedPages<P> = {
  /** The first page, kept fresh. */
  first: UsedPoll<P>
  /** All pages read so far, the first one as it was when the second one was asked for. Empty: nothing is there yet. */
  pages: readonly P[]
  /** Reads the next page; undefined: this is the end. */
  more: (() => void) | undefined
  busy: boolean
  fault: ApiFault | undefined
}

/** A list that is read page by page as somebody asks for more. `callOf` gives the request of a page. */
export function usePages<P extends CursorPage<unknown>>(
  callOf: (cursor: string | undefined) => ApiCall<P>,
  { everyMs }: { everyMs?: number } = {},
): UsedPages<P> {
  const { send } = useServices()
  const firstCall = callOf(undefined)
  const first = usePolled(firstCall, everyMs === undefined ? {} : { everyMs })
  const [walked, setWalked] = useState<{ target: string; pages: P[] } | null>(null)
  const [state, setState] = useState<{ busy: boolean; fault?: ApiFault }>({ busy: false })
  const { target } = firstCall
  const pages = walked?.target === target ? walked.pages : first.data ? [first.data] : []
  const cursor = pages.at(-1)?.cursor ?? null
  const more = async () => {
    if (cursor === null || state.busy) return
    setState({ busy: true })
    try {
      const { data } = await send(callOf(cursor))
      setWalked({ target, pages: [...pages, data] })
      setState({ busy: false })
    } catch (error) {
      setState({ busy: false, fault: error instanceof ApiFault ? error : new ApiFault(String(error), { status: 0 }) })
    }
  }
  return { first, pages, more: cursor === null ? undefined : more, busy: state.busy, fault: state.fault }
}
