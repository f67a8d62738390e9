import { LRUCache } from 'lru-cache'
import { type buildConnector, Pool } from 'undici'
import { HostBusyError } from '../outboundError.ts'

/** Most bytes of the headers of one answer, including trailers. */
export const maxHeaderBytes = 16_384

export type PoolsOptions = {
  connect: buildConnector.connector
  /** Most connections to one origin. */
  connections(origin: string): number
  /** Most origins with connections; the least recently used one is closed for another. */
  maxOrigins: number
}

export type Pools = {
  /** The pool of an origin. A replaced pool finishes its current requests. Throws HostBusyError after `close`. */
  of(origin: string): Pool
  close(): Promise<void>
}

/** A pool unused for this long is closed, in milliseconds; its connections have ended before. */
const idleMs = 60_000

/** Pools of keep-alive connections by origin, limited in number; unused ones are closed. */
export function createPools(options: PoolsOptions): Pools {
  /** Replaced pools that finish their requests. */
  const closing = new Set<Pool>()
  const pools = new LRUCache<string, Pool>({
    max: options.maxOrigins,
    ttl: idleMs,
    ttlResolution: 1_000,
    updateAgeOnGet: true,
    dispose(pool) {
      closing.add(pool)
      if (!closed) void pool.close().finally(() => closing.delete(pool))
    },
  })
  let closed = false
  let sweptAt = performance.now()

  return {
    of(origin) {
      if (closed) throw new HostBusyError({ host: origin, retryAfterMs: 0, detail: 'gets no more requests: closing' })
      const now = performance.now()
      if (now - sweptAt > idleMs) {
        sweptAt = now
        pools.purgeStale()
      }
      const known = pools.get(origin)
      if (known) return known
      const pool = new Pool(origin, {
        connect: options.connect,
        connections: options.connections(origin),
        allowH2: false,
        pipelining: 1,
        keepAliveTimeout: 10_000,
        keepAliveMaxTimeout: 60_000,
        maxHeaderSize: maxHeaderBytes,
      })
      pools.set(origin, pool)
      return pool
    },
    async close() {
      closed = true
      pools.clear()
      await Promise.all([...closing].map((pool) => pool.destroy()))
    },
  }
}
