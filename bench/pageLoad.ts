import { startChild } from './child.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { benchKey } from './measuredService.ts'

/** Requests pages as clients do, with the key of the bench, from a separate process. */
export type PageLoad = {
  pid: number
  /** `headers` are added to the key. `status` of every response is 200 by default. `perSecond` limits the rate. */
  measure(
    origin: string,
    paths: string[],
    options?: { headers?: Record<string, string>; status?: number; perSecond?: number },
  ): Promise<LoadResult>
  stop(): Promise<void>
}

export function startPageLoad({ connections, seconds }: { connections: number; seconds: number }): PageLoad {
  const child = startChild('./load.ts', null)
  return {
    pid: child.pid,
    async measure(origin, paths, { headers, status = 200, perSecond } = {}) {
      const all = { 'x-api-key': benchKey, accept: 'application/json', ...headers }
      child.send({
        origin,
        paths,
        headers: all,
        status,
        connections,
        seconds,
        ...(perSecond !== undefined && { perSecond }),
      } satisfies LoadJob)
      return await child.next<LoadResult>()
    },
    stop: child.stop,
  }
}
