import { signal } from '@preact/signals'
import type { ApiCall } from '../api/apiCall.ts'
import type { ShownCalls } from './services.ts'

/** Equal requests of several parts of a view are shown once. */
export function createShownCalls(): ShownCalls {
  const calls = signal<readonly ApiCall<unknown>[]>([])
  const counts = new Map<string, { call: ApiCall<unknown>; count: number }>()
  const report = () => {
    calls.value = [...counts.values()].map(({ call }) => call)
  }
  return {
    calls,
    add(call) {
      const name = `${call.method} ${call.target}`
      const known = counts.get(name) ?? { call, count: 0 }
      known.count++
      counts.set(name, known)
      report()
      return () => {
        known.count--
        if (known.count === 0) counts.delete(name)
        report()
      }
    },
  }
}
