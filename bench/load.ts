import autocannon from 'autocannon'
import { answer } from './child.ts'

/**
 * autocannon in a process of its own, given one job after another. It reads every byte, so it takes its part of the two
 * cores from whoever it measures, the peers just as much.
 */
export type LoadJob = {
  origin: string
  /** Asked in turn, each connection taking the next one. */
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
  let turn = 0
  const setupRequest = (request: autocannon.Request) => ({ ...request, path: paths[turn++ % paths.length]! })
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: [{ path: paths[0]!, headers, ...(paths.length > 1 && { setupRequest }) }],
  })
  const { requests, latency, throughput, statusCodeStats, errors } = result as typeof result & {
    statusCodeStats: Record<string, { count: number }>
  }
  const others = Object.keys(statusCodeStats).filter((code) => Number(code) !== status)
  if (others.length > 0 || errors > 0) throw new Error(`${errors} errors, and answers of ${others.join(', ')}`)
  const perSecond = requests.total / result.duration
  return { perSecond, medianMs: latency.p50, p99Ms: latency.p99, bytes: throughput.total / requests.total }
}
