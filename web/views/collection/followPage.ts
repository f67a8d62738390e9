import { effect, type ReadonlySignal, untracked } from '@preact/signals'
import type { ApiFault } from '../../api/apiFault.ts'
import type { Polled } from '../../api/poller.ts'

/**
 * Calls `report` for each new response and `reportFault` after each request, until the returned function is called. A 304 is no new
 * response, so it causes no layout.
 */
export function followPage<T>(
  state: ReadonlySignal<Polled<T>>,
  report: (data: T) => void,
  reportFault: (fault: ApiFault | undefined) => void,
): () => void {
  let reported: T | undefined
  return effect(() => {
    const { data, fault } = state.value
    untracked(() => {
      reportFault(fault)
      if (data === undefined || data === reported) return
      reported = data
      report(data)
    })
  })
}
