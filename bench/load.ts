import { setTimeout as wait } from 'node:timers/promises'
import autocannon from 'autocannon'
import { Pool } from 'undici'
import { answer } from './child.ts'
import { p99 } from './figure.ts'

/**
 * autocannon in a process of its own, which gets one job after another. It reads every byte, so it takes its part of the two cores
 * from the process that it measures, from a peer just as much.
 */
export type LoadJob = {
  origin: string
  /** Requested in turn, each connection taking the next one; one path, or at least as many as connections. */
  paths: string[]
  headers: Record<string, string>
  /** What every answer has to be. */
  status: number
  connections: number
  seconds: number
  /**
   * Requests a second, each at its own moment, over all connections; omitted: as many as can be. A time then counts from that
   * moment on, also where the client or its connections were late. autocannon would request all of a second at once.
   */
  perSecond?: number
}
export type LoadResult = { perSecond: number; medianMs: number; p99Ms: number; bytes: number }

process.on(
  'message',
  (job: LoadJob) => void (job.perSecond === undefined ? run(job) : ask(job, job.perSecond)).then(answer),
)

/** Sends requests at a steady rate. */
async function ask(job: LoadJob, rate: number): Promise<LoadResult> {
  const { origin, paths, headers, status, connections, seconds } = job
  const pool = new Pool(origin, { connections })
  const times: number[] = []
  let bytes = 0
  const began = performance.now()

  async function get(path: string, dueAt: number): Promise<void> {
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers })
    for await (const part of body) bytes += (part as Buffer).length
    if (statusCode !== status) throw new Error(`a page was answered ${statusCode}`)
    times.push(performance.now() - dueAt)
  }

  const answers: Promise<void>[] = []
  for (const total = rate * seconds; answers.length < total; ) {
    const dueAt = began + (answers.length * 1_000) / rate
    const early = dueAt - performance.now()
    if (early > 0) await wait(early)
    answers.push(get(paths[answers.length % paths.length]!, dueAt))
  }
  await Promise.all(answers)
  const taken = (performance.now() - began) / 1_000
  await pool.close()
  times.sort((a, b) => a - b)
  return {
    perSecond: times.length / taken,
    medianMs: times[times.length >> 1]!,
    p99Ms: p99(times),
    bytes: bytes / times.length,
  }
}

async function run({ origin, paths, headers, status, connections, seconds }: LoadJob): Promise<LoadResult> {
  // Every request is written before the measurement begins: the client would take that time from the process that is measured.
  const requests = paths.map((path) => ({ path, headers }))
  let connected = 0
  const setupClient = (client: autocannon.Client) => {
    const turn = connected++
    client.setRequests(requests.filter((_, i) => i % connections === turn))
  }
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: requests.slice(0, 1),
    ...(paths.length > 1 && { setupClient }),
  })
  const {
    requests: counts,
    latency,
    throughput,
    statusCodeStats,
    errors,
  } = result as typeof result & {
    statusCodeStats: Record<string, { count: number }>
  }
  const others = Object.keys(statusCodeStats).filter((code) => Number(code) !== status)
  if (others.length > 0 || errors > 0) throw new Error(`${errors} errors, and answers of ${others.join(', ')}`)
  const perSecond = counts.total / result.duration
  return { perSecond, medianMs: latency.p50, p99Ms: latency.p99, bytes: throughput.total / counts.total }
}
