import autocannon from 'autocannon'
import { answer } from './child.ts'

/**
 * autocannon in a process of its own, which gets one job after another. It reads every byte, so it takes its part of the two cores
 * from the process that it measures, from a peer just as much.
 */
export type LoadJob = {
  origin: string
  /** Asked in turn, each connection taking the next one; one path, or at least as many as connections. */
  paths: string[]
  headers: Record<string, string>
  /** What every answer has to be. */
  status: number
  connections: number
  seconds: number
}
export type LoadResult = { perSecond: number; medianMs: number; p99Ms: number; bytes: number }

process.on('message', (job: LoadJob) => void run(job).then(answer))

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
