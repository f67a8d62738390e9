import type { Mask } from '../urls/secrets.ts'
import { errorFields } from './errorFields.ts'

/** The fields of a log line, bounded and as plain values. */
export type LogFields = Record<string, unknown>

/** Longest text, stack and list. The next entry is used if a line would be too long with this one. */
const bounds = [
  { text: 1_000, frames: 2_000, list: 20 },
  { text: 300, frames: 1_000, list: 5 },
  { text: 100, frames: 0, list: 2 },
]

/** Most characters of a line's fields; with level, time and event no line exceeds 4 kB. */
const mostCharacters = 3_600

const deepest = 3

/** Characters that a terminal may interpret, except tabs and line ends. */
const obeyed = /[\u2028\u2029]|(?![\n\t])\p{C}/gu

/**
 * The written fields of an event: errors by `errorFields`, secrets masked, texts and lists truncated so that every line is readable and can be
 * forwarded.
 */
export function logFields(fields: object, mask: Mask): LogFields {
  let reported: LogFields = {}
  for (const bound of bounds) {
    reported = {}
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) reported[name] = plain(name, value, { ...bound, mask, depth: 0 })
    if (JSON.stringify(reported).length <= mostCharacters) break
  }
  return reported
}

type Bound = (typeof bounds)[number] & { mask: Mask; depth: number }

function plain(name: string, value: unknown, bound: Bound): unknown {
  if (name === 'err' || value instanceof Error)
    return Object.fromEntries(
      Object.entries(errorFields(value)).map(([key, text]) => [
        key,
        cut(text, key === 'stack' ? bound.frames : bound.text, bound.mask),
      ]),
    )
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return cut(value, bound.text, bound.mask)
  if (typeof value !== 'object' || value === null) return value
  if (bound.depth >= deepest) return '…'
  const inner = { ...bound, depth: bound.depth + 1 }
  if (Array.isArray(value)) {
    const items = value.slice(0, bound.list).map((item) => plain(name, item, inner))
    return value.length > bound.list ? [...items, `… and ${value.length - bound.list} more`] : items
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, bound.list)
      .map(([key, item]) => [key, plain(key, item, inner)]),
  )
}

/** Masks a text and truncates it. Masked first, as the mask would not find a truncated secret. */
function cut(text: string, length: number, mask: Mask): string {
  const shown = mask(text).replace(obeyed, '')
  return shown.length > length ? `${shown.slice(0, length)}…` : shown
}

/** Fields in which two lines of the same error may differ: the collection, token, URL or webhook of the error. */
const met = new Set(['collection', 'token', 'url', 'position'])

/**
 * A key that is the same for lines of the same error: the event, its identifying fields, and its message without numbers and hashes, such as blocks
 * and ports. Numbers in fields are omitted.
 */
export function faultKey(event: string, { err, ...fields }: LogFields): string {
  const parts = Object.entries(fields).filter(([name, value]) => typeof value !== 'number' && !met.has(name))
  const { message, code } = (err ?? {}) as { message?: string; code?: string }
  const messages = [
    message,
    ...parts.filter(([name]) => /^(?:reason|detail|line)$/.test(name)).map(([, text]) => String(text)),
  ]
  const whom = parts.filter(([name]) => !/^(?:reason|detail|line|pauseMs)$/.test(name))
  return JSON.stringify([event, code, messages.map((text) => text?.replace(/0x[0-9a-f]+|\d+/gi, '#')), whom])
}
