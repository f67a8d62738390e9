import { signal } from '@preact/signals'
import { serverNow } from '../api/serverTime.ts'

/** The server's time, in milliseconds since 1970, for everything that shows how long ago something was. It moves while the page is seen. */
export const clock = signal(serverNow())

const tickMs = 1_000

/** Moves `clock` once a second while the page is visible. Gives what ends it. */
export function startClock(document: Document): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') clock.value = serverNow()
  }, tickMs)
  return () => clearInterval(timer)
}
