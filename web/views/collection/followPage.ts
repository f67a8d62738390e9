import { effect, type ReadonlySignal, untracked } from '@preact/signals'
import type { ApiFault } from '../../api/apiFault.ts'
import type { Polled } from '../../api/poller.ts'

/**
 * Calls back once with each answer and each error of a polled request, until the returned function is called. An answer 304 confirms
 * what was reported, so nothing is laid out again for it.
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
