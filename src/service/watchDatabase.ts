import type { UnreachableNode } from '../db/cluster/readNodes.ts'
import { isConnectionError } from '../db/databaseError.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { describeError, outageOf } from '../util/errors.ts'
import type { Log } from '../util/log.ts'
import { sleep } from '../util/wait.ts'

/** Logs once that the database, or a cluster node, is unreachable, and once that it is back; other parts with such errors log nothing. */
export type DatabaseWatch = {
  /** Called with every error of the database. */
  observe(error: unknown): void
  /** The cluster nodes that did not respond to the last query. */
  unreachableNodes(): readonly string[]
  close(): Promise<void>
}

/** Pause between two queries of an unreachable database or node. */
const pauseMs = 500

/** `request` returns the nodes that do not respond. One broken connection is not an outage, so `request` is called before the log reports one. */
export function watchDatabase(options: {
  request: () => Promise<readonly UnreachableNode[]>
  metrics: Pick<Metrics, 'unreachableDatabaseNodes'>
  log: Log
}): DatabaseWatch {
  const { request, metrics, log } = options
  const stop = new AbortController()
  let watching: Promise<void> | undefined
  let nodes: readonly string[] = []

  async function watch(first: unknown): Promise<void> {
    const outages = createUnreachable(log)
    while (!stop.signal.aborted) {
      const { fault, found } = await request().then(
        (found) => ({ fault: undefined, found }),
        (fault: unknown) => ({ fault, found: [] }),
      )
      if (stop.signal.aborted) return
      const isUnreachable = fault !== undefined && isConnectionError(fault)
      outages.database(isUnreachable, first)
      if (!isUnreachable) {
        nodes = found.map(({ name }) => name)
        metrics.unreachableDatabaseNodes.set(nodes.length)
        outages.nodes(found)
        if (nodes.length === 0) return
      }
      await sleep(pauseMs, stop.signal)
    }
  }

  return {
    observe(error) {
      if (stop.signal.aborted || watching || outageOf(error) !== 'database') return
      watching = watch(error).finally(() => {
        watching = undefined
      })
    },
    unreachableNodes: () => nodes,
    async close() {
      stop.abort()
      await watching
    },
  }
}

/** Logs the changes. */
function createUnreachable(log: Log) {
  let database: { since: number; failures: number } | undefined
  const known = new Map<string, number>()
  const secondsSince = (since: number) => Math.round((performance.now() - since) / 1_000)
  return {
    database(isUnreachable: boolean, reason: unknown): void {
      if (isUnreachable) {
        if (!database) log.warn({ reason: describeError(reason) }, 'database unreachable')
        database ??= { since: performance.now(), failures: 0 }
        database.failures += 1
      } else if (database) {
        log.info({ failures: database.failures, seconds: secondsSince(database.since) }, 'database recovered')
        database = undefined
      }
    },
    nodes(unreachable: readonly UnreachableNode[]): void {
      for (const { name: node, reason } of unreachable) {
        if (known.has(node)) continue
        known.set(node, performance.now())
        log.warn({ node, reason }, 'database node unreachable')
      }
      for (const [node, since] of known) {
        if (unreachable.some(({ name }) => name === node)) continue
        known.delete(node)
        log.info({ node, seconds: secondsSince(since) }, 'database node recovered')
      }
    },
  }
}
