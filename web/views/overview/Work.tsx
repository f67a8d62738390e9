import type { components } from '../../api/apiCall.ts'
import { Card } from '../../parts/Card.tsx'
import { Stats } from '../../parts/Stats.tsx'
import { formatBytes, formatNumber } from '../../text/numbers.ts'

type Overview = components['schemas']['Overview']

/** Pending work, and free disk space. */
export function Work({
  queue,
  database,
  nodesAway,
  disk,
  backpressure,
}: Pick<Overview, 'queue' | 'database' | 'nodesAway' | 'disk' | 'backpressure'>) {
  const { metadata, previews, webhooks, streams } = queue
  const isFull = disk.freeBytes !== null && disk.totalBytes !== null && disk.freeBytes < disk.totalBytes / 20
  const { active = 0, paused = 0, error = 0, terminated = 0 } = streams ?? {}
  return (
    <Card title="Current state" wide>
      {nodesAway.map((node) => (
        <p class="failed" role="alert" key={node}>
          Database node unreachable: {node}
        </p>
      ))}
      {disk.faults.map((fault) => (
        <p class="failed" role="alert" key={fault}>
          Writes fail: {fault}
        </p>
      ))}
      {backpressure.active && (
        <p role="status">
          Overloaded. Slowed down: {backpressure.yielded.map(({ work }) => workName(work)).join(', ')}
        </p>
      )}
      <Stats
        of={[
          {
            name: 'Streams',
            value: streams ? formatNumber(active) : '–',
            hint: `active${others(', ', [paused, 'paused'], [error, 'in error'], [terminated, 'terminated'])}`,
            ...(error + terminated > 0 && { kind: 'bad' as const }),
          },
          { name: 'Webhooks', value: webhooks === null ? '–' : formatNumber(webhooks), hint: 'pending' },
          {
            name: 'Metadata',
            value: metadata ? atLeast(metadata.due, metadata.more) : '–',
            hint: metadata
              ? `pending${others('; ', [metadata.failed, 'failed before'], [metadata.parked, 'waiting for a dead host'])}`
              : 'not counted in time',
          },
          { name: 'Preview images', value: previews ? atLeast(previews.due, previews.more) : '–', hint: 'pending' },
          { name: 'Database', value: database ? formatBytes(database.bytes) : '–', hint: 'on disk' },
          {
            name: 'Disk',
            value: disk.freeBytes === null ? '–' : formatBytes(disk.freeBytes),
            hint: disk.totalBytes === null ? 'free' : `free of ${formatBytes(disk.totalBytes)}`,
            ...(isFull && { kind: 'warn' as const }),
          },
        ]}
      />
    </Card>
  )
}

/** The page's name for a kind of background work. */
function workName(work: string): string {
  return work === 'documents' ? 'metadata' : work.replaceAll('_', ' ')
}

/** The counts that are not zero, as a list that begins with `mark`. */
function others(mark: string, ...counts: readonly [count: number | string, words: string][]): string {
  return counts
    .filter(([count]) => Number(count) > 0)
    .map(([count, label], i) => `${i === 0 ? mark : ', '}${formatNumber(count)} ${label}`)
    .join('')
}

/** Counting stops at a limit. */
function atLeast(count: number, more: boolean): string {
  return `${formatNumber(count)}${more ? '+' : ''}`
}
