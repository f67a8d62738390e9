import { effect, type ReadonlySignal, untracked } from '@preact/signals'
import type { ApiFault } from '../../api/apiFault.ts'
import type { Polled } from '../../api/poller.ts'

/**
 * Tells each answer of a request that is kept fresh once, and each fault, until the function that this gives is called. An answer 304 confirms
 * what was told, so nothing is laid out anew for it.
 */
export function followPage<T>(
  state: ReadonlySignal<Polled<T>>,
  tell: (data: T) => void,
  tellFault: (fault: ApiFault | undefined) => void,
): () => void {
  let told: T | undefined
  return effect(() => {
    const { data, fault } = state.value
    untracked(() => {
      tellFault(fault)
      if (data === undefined || data === told) return
      told = data
      tell(data)
    })
  })
}
