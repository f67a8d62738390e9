import type { CDPSession, Page } from 'playwright-core'

/** The objects of a page after garbage collection. */
export type Held = { heapBytes: number; nodes: number; listeners: number }

/** Measurements at the start and the end, and the number of requests in `ms`. */
export type Measured = { begin: Held; end: Held; requests: number; ms: number }

const speed = 20

/** A script that speeds up all clocks and timers of a page by twenty: an hour takes three minutes. */
export const runFast = `{
  const [wall, elapsed, timeout, interval] = [Date.now, performance.now.bind(performance), setTimeout, setInterval]
  const begun = wall()
  Date.now = () => begun + (wall() - begun) * ${speed}
  performance.now = () => elapsed() * ${speed}
  window.setTimeout = (run, ms = 0, ...values) => timeout(run, ms / ${speed}, ...values)
  window.setInterval = (run, ms = 0, ...values) => interval(run, ms / ${speed}, ...values)
}`

/** Measures a page from now until the returned function is called. */
export async function measure(page: Page): Promise<() => Promise<Measured>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const begin = await heldNow(session)
  let requests = 0
  const count = () => requests++
  page.on('request', count)
  const started = performance.now()
  return async () => {
    const ms = performance.now() - started
    page.off('request', count)
    const end = await heldNow(session)
    await session.detach()
    return { begin, end, requests, ms }
  }
}

async function heldNow(session: CDPSession): Promise<Held> {
  // The second collection frees objects that the first one released.
  for (let i = 0; i < 2; i++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((metric) => metric.name === name)!.value
  return { heapBytes: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') }
}

/** The measurements of a page that grew, as text; empty if the page can stay open for days. */
export function tooMuch({ begin, end }: Measured): string[] {
  // Rows fill the page, and numbers get longer.
  const bounds: Held = {
    heapBytes: begin.heapBytes * 1.1 + 1_500_000,
    nodes: begin.nodes * 1.1 + 200,
    listeners: begin.listeners * 1.1 + 20,
  }
  const grown = (Object.keys(bounds) as (keyof Held)[]).filter((name) => end[name] > bounds[name])
  return grown.map((name) => `${name} grew from ${begin[name]} to ${end[name]}`)
}
