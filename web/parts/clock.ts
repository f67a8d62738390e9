import { signal } from '@preact/signals'
import { serverNow } from '../api/serverTime.ts'

/** The server's time in milliseconds since 1970, for relative times. It ticks while the page is visible. */
export const clock = signal(serverNow())

const tickMs = 1_000

/** Updates `clock` every second while the page is visible. Returns a stop function. */
export function startClock(document: Document): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') clock.value = serverNow()
  }, tickMs)
  return () => clearInterval(timer)
}
