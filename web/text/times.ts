const units: [seconds: number, name: string][] = [
  [31_557_600, 'y'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** 3725 as 1 h 2 min: the largest unit and the next. */
export function formatDuration(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds))
  if (rest === 0) return '0 s'
  const parts: string[] = []
  for (const [size, name] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${name}`)
    if (parts.length === 2 || (parts.length === 1 && count === 0)) break
  }
  return parts.join(' ')
}

/** A time relative to `now`: 5 s ago, in 2 h. Within half a second: now. */
export function formatAgo(at: number, now: number): string {
  const seconds = Math.round((now - at) / 1_000)
  if (Math.abs(seconds) < 1) return 'now'
  const text = largestUnit(Math.abs(seconds))
  return seconds > 0 ? `${text} ago` : `in ${text}`
}

function largestUnit(seconds: number): string {
  const [size, name] = units.find(([size]) => seconds >= size)!
  return `${Math.floor(seconds / size)} ${name}`
}

const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })

/** A time in the browser's time zone: 31 Jan 2026, 12:00:00 UTC. */
export function formatTime(at: number): string {
  return local.format(at)
}
