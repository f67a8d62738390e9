import { parameter } from './parameters.ts'

const day = /^(\d{4})-(\d{2})-(\d{2})$/
const time = /^(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?$/i
/** RFC 5322: `Tue, 21 Nov 2023 10:00:00 +0100`, with or without the day of the week. */
const mail = /^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? (?:gmt|utc?|z|[+-]\d{4})$/i
/** The last millisecond of JavaScript's Date. */
const latest = 8_640_000_000_000_000

/**
 * A moment, in milliseconds since 1970. Accepts unambiguous formats of the published client's library (moment): ISO
 * 8601, RFC 5322 and Unix time. ISO 8601 defaults to UTC, and a day means its first moment. Unix time is in seconds, or
 * in milliseconds with at least twelve digits.
 */
export function date(options: { description: string }) {
  return parameter<number>({
    description: `${options.description} ISO 8601 (UTC without a zone), RFC 5322, or seconds since 1970 (milliseconds with twelve digits and more).`,
    allowed: 'a date such as 2021-05-01 or 2021-05-01T10:00:00Z, or seconds since 1970 such as 1619863200',
    schema: { type: 'string', examples: ['2021-05-01T10:00:00.000Z'] },
    parse: parseDate,
  })
}

export function parseDate(text: string): number | undefined {
  // Shorter numbers may be a year or a day, but many clients send 0 for the beginning.
  if (/^(?:0|\d{9,11})$/.test(text)) return Number(text) * 1_000
  if (/^\d{12,16}$/.test(text)) return Number(text) <= latest ? Number(text) : undefined
  if (mail.test(text)) {
    const parsed = Date.parse(text.replace(/ ut$/i, ' UTC'))
    return Number.isNaN(parsed) ? undefined : parsed
  }
  const [date = '', rest] = text.split(/[T ]/i, 2)
  return day.test(date) && date.length + (rest === undefined ? 0 : rest.length + 1) === text.length
    ? parseIso(date, rest)
    : undefined
}

function parseIso(date: string, rest: string | undefined): number | undefined {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // JavaScript parses February 30 as March 2.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) return undefined
  if (rest === undefined) return midnight
  const found = time.exec(rest)
  if (!found) return undefined
  const [, hours, minutes, seconds = '0', fraction = '0', zone = 'Z'] = found
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const offset = offsetOf(zone)
  if (offset === undefined) return undefined
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1_000)
  return midnight + (hour * 3_600 + minute * 60 + second) * 1_000 + milliseconds - offset
}

/** Offset of a zone from UTC, in milliseconds; undefined if it is invalid. */
function offsetOf(zone: string): number | undefined {
  if (/^z$/i.test(zone)) return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))]
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
