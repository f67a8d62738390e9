import { formatAgo, formatTime } from '../text/times.ts'
import { clock } from './clock.ts'

/** The server's time is known within that much: what lies ahead by less is now. */
const exactMs = 3_000

/** How long ago a time was, or how long it is until then, kept true; the time itself as title. */
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
