import { type components, get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Card } from '../../parts/Card.tsx'
import { Chart } from '../../parts/Chart.tsx'
import { Shown } from '../../parts/Shown.tsx'
import { attemptsPage } from './attemptsPage.ts'
import { formatMs, latencyOverTime, medianOf } from './latency.ts'

type Points = { from: string; result: { at: string; [counter: string]: string | number }[] }
type Log = components['schemas']['DeliveryLog']

const spans = {
  minute: { ms: 60_000, words: 'in the last hour' },
  hour: { ms: 3_600_000, words: 'in the last 60 hours' },
} as const

/** Steps of an answer whose time is not asked for. */
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

/** What a stream delivered over time, and how long its receiver took. */
export function Activity({ id }: { id: string }) {
  const { router, access } = useServices()
  const step = router.place.value.query.get('step') === 'hour' ? 'hour' : 'minute'
  const { ms, words } = spans[step]
  const history = usePolled(get('/stats/{streamId}/history', { path: { streamId: id }, query: { step } }))
  return (
    <Card
      title="Over time"
      wide
      actions={
        <select
          aria-label="Time of the charts"
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
                series={series.map(([name, counter]) => ({ name, counts: countsOf(points, counter, ms) }))}
                from={firstStep(points, ms)}
                stepMs={ms}
                span={words}
              />
            ))}
            {access.value === 'admin' && <Latency id={id} />}
          </div>
        )}
      </Shown>
    </Card>
  )
}

/** The counts of all steps: those in which nothing was counted are left out of the answer. */
function countsOf(points: Points, counter: string, ms: number): number[] {
  const counts = Array.from({ length: steps }, () => 0)
  for (const point of points.result) {
    const place = (Date.parse(point.at) - firstStep(points, ms)) / ms
    if (place >= 0 && place < steps) counts[place] = Number(point[counter])
  }
  return counts
}

/** An answer begins within a step, and counts whole ones. */
function firstStep({ from }: Points, ms: number): number {
  return Math.ceil(Date.parse(from) / ms) * ms
}

/** How long the latest attempts took. */
function Latency({ id }: { id: string }) {
  const { data } = usePolled(attemptsPage(id))
  const attempts: readonly Log[] = data?.result ?? []
  if (attempts.length === 0) return null
  const { from, stepMs, values } = latencyOverTime(attempts)
  const median = medianOf(attempts.map(({ latencyMs }) => latencyMs))
  return (
    <Chart
      title={`Latency of the latest ${attempts.length === 1 ? 'attempt' : `${attempts.length} attempts`}`}
      series={[{ name: 'median', counts: values }]}
      from={from}
      stepMs={stepMs}
      span="between question and answer"
      figure={() => formatMs(median)}
    />
  )
}
