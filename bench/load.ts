import { setTimeout as wait } from 'node:timers/promises'
import autocannon from 'autocannon'
import { Pool } from 'undici'
import { answer } from './child.ts'
import { p99 } from './figure.ts'

/**
 * autocannon in a separate process, which runs one job after another. It reads every byte, so it takes the same share of the two cores from
 * the measured process and from a peer.
 */
export type LoadJob = {
  origin: string
  /** Each connection requests the next path in turn: one path, or at least as many as connections. */
  paths: string[]
  headers: Record<string, string>
  /** The expected status of every response. */
  status: number
  connections: number
  seconds: number
  /**
   * Requests a second over all connections, each at its own moment; omitted: as many as possible. Times count from that moment, even if the
   * client or its connections are late. autocannon would send all requests of a second at once.
   */
  perSecond?: number
}
export type LoadResult = { perSecond: number; medianMs: number; p99Ms: number; bytes: number }

process.on(
  'message',
  (job: LoadJob) => void (job.perSecond === undefined ? run(job) : query(job, job.perSecond)).then(answer),
)

/** Sends requests at a steady rate. */
async function query(job: LoadJob, rate: number): Promise<LoadResult> {
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
  // The client prepares every request before the measurement, so that this takes no time from the measured process.
  const requests = paths.map((path) => ({ path, headers }))
  let connected = 0
  const setupClient = (client: autocannon.Client) => {
    const round = connected++
    client.setRequests(requests.filter((_, i) => i % connections === round))
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
