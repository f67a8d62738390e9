import type { components } from '../../api/apiCall.ts'
import { Card } from '../../parts/Card.tsx'
import { Chart } from '../../parts/chart/Chart.tsx'

type Rates = components['schemas']['MinuteRates']
type Kind = Exclude<keyof Rates, 'from'>

const charts: readonly { title: string; lines: readonly [name: string, kind: Kind][] }[] = [
  {
    title: 'Requests',
    lines: [
      ['Requests', 'requests'],
      ['Pages of tokens and coins', 'pages'],
    ],
  },
  {
    title: 'Webhooks',
    lines: [
      ['Delivered', 'webhooksDelivered'],
      ['Failed attempts', 'attemptsFailed'],
    ],
  },
  { title: 'Blocks followed', lines: [['Blocks', 'blocks']] },
  { title: 'Logs read', lines: [['Logs', 'logs']] },
  {
    title: 'Metadata and preview images',
    lines: [
      ['Metadata', 'documents'],
      ['Preview images', 'previews'],
    ],
  },
  { title: 'Coin networks', lines: [['Versions', 'versions']] },
]

const minuteMs = 60_000

/** Work of all processes in each minute of the last hour. */
export function LastHour({ rates }: { rates: Rates }) {
  // The last minute is incomplete and would look like a drop.
  const whole = (kind: Kind) => rates[kind].slice(0, -1)
  return (
    <Card title="The last hour, by minute" wide>
      <div class="charts">
        {charts.map(({ title, lines }) => (
          <Chart
            key={title}
            title={title}
            series={lines.map(([name, kind]) => ({ name, counts: whole(kind) }))}
            from={Date.parse(rates.from)}
            stepMs={minuteMs}
            span="in the last hour"
          />
        ))}
      </div>
    </Card>
  )
}
