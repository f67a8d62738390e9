import type { RateKind } from '../../api/admin/overview.ts'
import type { Metrics } from '../../metrics/metrics.ts'

type Counted = { get(): Promise<{ values: { value: number; labels: Partial<Record<string, string | number>> }[] }> }

export type CountedMetrics = Pick<
  Metrics,
  | 'requests'
  | 'pageCacheHits'
  | 'pageCacheMisses'
  | 'blocks'
  | 'logs'
  | 'aptosVersions'
  | 'metadata'
  | 'previews'
  | 'webhookAttempts'
>

/** The counts of this process since its start, from the metrics that `/metrics` publishes. */
export async function readTotals(metrics: CountedMetrics): Promise<Record<RateKind, number>> {
  const hits = await sum(metrics.pageCacheHits)
  const misses = await sum(metrics.pageCacheMisses)
  return {
    requests: await sum(metrics.requests.answered),
    pages: hits + misses,
    blocks: await sum(metrics.blocks),
    logs: await sum(metrics.logs),
    versions: await sum(metrics.aptosVersions),
    documents: await sum(metrics.metadata, ({ state }) => state === 'ok'),
    previews: await sum(metrics.previews, ({ result }) => result === 'success'),
    webhooksDelivered: await sum(metrics.webhookAttempts, ({ status }) => status === 'delivered'),
    attemptsFailed: await sum(metrics.webhookAttempts, ({ status }) => status === 'failed'),
  }
}

async function sum(
  counter: Counted,
  isMeant: (labels: Partial<Record<string, string | number>>) => boolean = () => true,
): Promise<number> {
  const { values } = await counter.get()
  return values.reduce((all, { value, labels }) => (isMeant(labels) ? all + value : all), 0)
}
