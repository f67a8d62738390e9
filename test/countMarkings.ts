import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as breath } from 'node:timers/promises'
import type { Exchange } from '../src/api/http/route.ts'
import { createPageAnswers } from '../src/api/pages/pageAnswers.ts'
import { createPageCache } from '../src/api/pages/pageCache.ts'

/**
 * Prints how often V8 marks the whole heap while 8,000 pages of 66 kB are answered and dropped. It runs in a separate process,
 * so that nothing else triggers a marking.
 */
const exchange: Exchange = {
  requestId: 'one',
  encoding: 'identity',
  target: '/',
  key: undefined,
  params: {},
  isKeyValid: async () => true,
  header: () => undefined,
  schedule: (task) => task(),
  address: '127.0.0.1',
}
const answers = createPageAnswers({ cache: createPageCache({ maxBytes: 0 }), onPage: () => undefined })
let markings = 0
const observer = new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries() as unknown as { detail: { kind: number } }[])
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) markings++
})
observer.observe({ entryTypes: ['gc'] })
const text = 'x'.repeat(66_000)
let round = 0
await Promise.all(
  Array.from({ length: 16 }, async () => {
    for (let i = 0; i < 500; i++) {
      const name = String(round++)
      const state = { name, version: 1n, etag: `W/"${name}"`, headers: [] }
      const cut = async () => {
        await breath()
        return text + name
      }
      await answers.answer({ state, keep: true, cut, exchange })
    }
  }),
)
await breath()
observer.disconnect()
process.stdout.write(String(markings))
