import type { ReadonlySignal } from '@preact/signals'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ApiCall } from '../api/apiCall.ts'
import type { Polled, Watch } from '../api/poller.ts'
import { useServices } from './services.ts'

export type UsedPoll<T> = Polled<T> & {
  /** Makes the request due now, as after a change. */
  again(): void
}

const nothing: Polled<never> = { data: undefined, headers: undefined, fault: undefined, at: null }

/**
 * The response to a request, kept fresh while the component is mounted. The request is shown as curl. `null` sends no request. A new target
 * restarts, so `data` is never that of another request. `everyMs`: default 5 s, Infinity for one response.
 */
export function usePolled<T>(call: ApiCall<T> | null, { everyMs = 5_000 }: { everyMs?: number } = {}): UsedPoll<T> {
  const { poller, shown } = useServices()
  const target = call?.target ?? null
  const [source, setSource] = useState<{ target: string; state: ReadonlySignal<Polled<T>> } | null>(null)
  const watch = useRef<Watch<T> | null>(null)

  useLayoutEffect(() => {
    if (!call) return
    const hide = shown.add(call)
    const own = poller.watch(call, everyMs)
    watch.current = own
    setSource({ target: call.target, state: own.state })
    return () => {
      own.stop()
      hide()
      watch.current = null
    }
  }, [target, everyMs, poller])

  const current = source?.target === target ? source.state.value : nothing
  return { ...current, again: () => watch.current?.again() }
}
