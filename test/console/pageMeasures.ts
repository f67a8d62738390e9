import type { CDPSession, Page } from 'playwright-core'

/** What a page holds after its garbage was collected. */
export type Held = { heapBytes: number; nodes: number; listeners: number }

/** What a page held, and how many requests it sent in `ms`. */
export type Measured = { begin: Held; end: Held; requests: number; ms: number }

const speed = 20

/** A script that has every clock and timer of a page run twenty times as fast: an hour of it takes three minutes. */
export const runFast = `{
  const [wall, elapsed, timeout, interval] = [Date.now, performance.now.bind(performance), setTimeout, setInterval]
  const begun = wall()
  Date.now = () => begun + (wall() - begun) * ${speed}
  performance.now = () => elapsed() * ${speed}
  window.setTimeout = (run, ms = 0, ...values) => timeout(run, ms / ${speed}, ...values)
  window.setInterval = (run, ms = 0, ...values) => interval(run, ms / ${speed}, ...values)
}`

/** Measures a page from now until the function that this gives is called. */
export async function measure(page: Page): Promise<() => Promise<Measured>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const begin = await heldNow(session)
  let requests = 0
  const count = () => requests++
  page.on('request', count)
  const begun = performance.now()
  return async () => {
    const ms = performance.now() - begun
    page.off('request', count)
    const end = await heldNow(session)
    await session.detach()
    return { begin, end, requests, ms }
  }
}

async function heldNow(session: CDPSession): Promise<Held> {
  // What the first round lets go of, the second one frees.
  for (let i = 0; i < 2; i++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((metric) => metric.name === name)!.value
  return { heapBytes: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') }
}

/** The measures of a page that grew, as text; nothing for one that can stay open for days. */
export function tooMuch({ begin, end }: Measured): string[] {
  // Rows fill up to the end of a page, and figures get longer.
  const bounds: Held = {
    heapBytes: begin.heapBytes * 1.1 + 1_500_000,
    nodes: begin.nodes * 1.1 + 200,
    listeners: begin.listeners * 1.1 + 20,
  }
  const grown = (Object.keys(bounds) as (keyof Held)[]).filter((name) => end[name] > bounds[name])
  return grown.map((name) => `${name} grew from ${begin[name]} to ${end[name]}`)
}
