import type { Mask } from '../urls/secrets.ts'
import { errorFields } from './errorFields.ts'

/** What a line says, bounded and in plain values. */
export type LogFields = Record<string, unknown>

/** Longest text and list at first; shorter where a line would be too long with them. */
const bounds = [
  { text: 1_000, frames: 2_000, list: 20 },
  { text: 300, frames: 1_000, list: 5 },
  { text: 100, frames: 0, list: 2 },
]

/** Characters of the fields of a line; with level, time and event no line is above 4 kB. */
const mostCharacters = 3_600

const deepest = 3

/** Everything that a terminal obeys, but the end of a line. */
const obeyed = /[\u2028\u2029]|(?![\n\t])\p{C}/gu

/**
 * What is written of the fields of an event: errors without what hangs at them, texts and lists cut so that every line can be read and
 * sent on.
 */
export function logFields(fields: object, mask: Mask): LogFields {
  let told: LogFields = {}
  for (const bound of bounds) {
    told = {}
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) told[name] = plain(name, value, { ...bound, mask, depth: 0 })
    if (JSON.stringify(told).length <= mostCharacters) break
  }
  return told
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

/** Masked first: of a secret that is cut off the mask knows nothing. */
function cut(text: string, length: number, mask: Mask): string {
  const shown = mask(text).replace(obeyed, '')
  return shown.length > length ? `${shown.slice(0, length)}…` : shown
}

/** Fields that differ where the same fault is met again: it is one fault, whatever it is met at. */
const met = new Set(['collection', 'token', 'url', 'position'])

/**
 * What makes one fault the same as another: event, whom it is about, and its words without numbers and hashes, such as blocks and ports.
 * Figures are left out.
 */
export function faultKey(event: string, { err, ...fields }: LogFields): string {
  const parts = Object.entries(fields).filter(([name, value]) => typeof value !== 'number' && !met.has(name))
  const { message, code } = (err ?? {}) as { message?: string; code?: string }
  const words = [
    message,
    ...parts.filter(([name]) => /^(?:reason|words|line)$/.test(name)).map(([, text]) => String(text)),
  ]
  const whom = parts.filter(([name]) => !/^(?:reason|words|line|pauseMs)$/.test(name))
  return JSON.stringify([event, code, words.map((text) => text?.replace(/0x[0-9a-f]+|\d+/gi, '#')), whom])
}
