import { formatAgo, formatTime } from '../text/times.ts'
import { clock } from './clock.ts'

/** Accuracy of the server's time: a time ahead by less counts as now. */
const exactMs = 3_000

/** A relative time that is kept current, with the time itself as title. */
export function Ago({ at }: { at: number | string }) {
  const time = typeof at === 'string' ? Date.parse(at) : at
  if (Number.isNaN(time)) return <span>at an unknown time</span>
  const ahead = time - clock.value
  return (
    <time dateTime={new Date(time).toISOString()} title={formatTime(time)}>
      {formatAgo(time, ahead > 0 && ahead < exactMs ? time : clock.value)}
    </time>
  )
}
