import { type AnswerOf, get, type paths } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Card } from '../../parts/Card.tsx'
import { Chart } from '../../parts/chart/Chart.tsx'
import { Shown } from '../../parts/Shown.tsx'
import { formatCount } from '../../text/numbers.ts'
import { formatMs } from './formatMs.ts'

type Points = AnswerOf<paths['/stats/{streamId}/history']['get']>
type Point = Points['result'][number]
type Step = keyof typeof spans

const spans = {
  minute: { ms: 60_000, label: 'in the last hour' },
  hour: { ms: 3_600_000, label: 'in the last 60 hours' },
} as const

/** Steps of a response without a requested range. */
const steps = 60

const lines = {
  Webhooks: [
    ['Delivered', 'totalWebhooksDelivered'],
    ['Failed attempts', 'totalWebhooksFailed'],
  ],
  Matches: [
    ['Logs', 'totalLogsProcessed'],
    ['Transactions', 'totalTxsProcessed'],
  ],
} as const

/** Deliveries of a stream over time, and the latency of its receiver. */
export function Activity({ id }: { id: string }) {
  const { router } = useServices()
  const step: Step = router.place.value.query.get('step') === 'hour' ? 'hour' : 'minute'
  const { ms, label } = spans[step]
  const history = usePolled(get('/stats/{streamId}/history', { path: { streamId: id }, query: { step } }))
  return (
    <Card
      title="Activity"
      wide
      actions={
        <select
          aria-label="Time range of the charts"
          value={step}
          onChange={({ currentTarget }) => router.setQuery({ step: currentTarget.value === 'hour' ? 'hour' : null })}
        >
          <option value="minute">the last hour, by minute</option>
          <option value="hour">the last 60 hours, by hour</option>
        </select>
      }
    >
      <Shown of={history}>
        {(points) => (
          <div class="charts">
            {Object.entries(lines).map(([title, series]) => (
              <Chart
                key={title}
                title={title}
                series={series.map(([name, counter]) => ({
                  name,
                  counts: valuesOf(points, ms, (point) => point[counter], 0),
                }))}
                from={firstStep(points, ms)}
                stepMs={ms}
                span={label}
              />
            ))}
            <Latency points={points} step={step} />
          </div>
        )}
      </Shown>
    </Card>
  )
}

/** A value per step. `empty`: for steps without counts, which responses omit. */
function valuesOf<Empty>(points: Points, ms: number, read: (point: Point) => number | Empty, empty: Empty) {
  const values = Array.from({ length: steps }, (): number | Empty => empty)
  for (const point of points.result) {
    const place = (Date.parse(point.at) - firstStep(points, ms)) / ms
    if (place >= 0 && place < steps) values[place] = read(point)
  }
  return values
}

/** A response starts within a step but counts whole steps. */
function firstStep({ from }: Points, ms: number): number {
  return Math.ceil(Date.parse(from) / ms) * ms
}

/** Latency of attempts: the average and the maximum of each step. */
function Latency({ points, step }: { points: Points; step: Step }) {
  const made = points.result.filter(({ attempts }) => attempts > 0)
  if (made.length === 0) return null
  const { ms, label } = spans[step]
  const attempts = made.reduce((sum, point) => sum + point.attempts, 0)
  const took = made.reduce((sum, point) => sum + point.attempts * (point.averageLatencyMs ?? 0), 0)
  const slowest = Math.max(...made.map(({ slowestLatencyMs }) => slowestLatencyMs ?? 0))
  const figures: Record<string, string> = { average: formatMs(took / attempts), slowest: formatMs(slowest) }
  return (
    <Chart
      title="Latency in ms"
      series={[
        { name: 'average', counts: valuesOf(points, ms, ({ averageLatencyMs }) => averageLatencyMs, null) },
        { name: 'slowest', counts: valuesOf(points, ms, ({ slowestLatencyMs }) => slowestLatencyMs, null) },
      ]}
      from={firstStep(points, ms)}
      stepMs={ms}
      span={`of ${formatCount(attempts, 'attempt')} ${label}`}
      figure={(name) => figures[name] ?? '–'}
      format={formatMs}
    />
  )
}
