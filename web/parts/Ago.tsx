import { formatAgo, formatTime } from '../text/times.ts'
import { clock } from './clock.ts'

/** How long ago a time was, kept true; the time itself as title. */
export function Ago({ at }: { at: number | string }) {
  const time = typeof at === 'string' ? Date.parse(at) : at
  return (
    <time dateTime={new Date(time).toISOString()} title={formatTime(time)}>
      {formatAgo(time, Math.max(clock.value, time - 500))}
    </time>
  )
}
