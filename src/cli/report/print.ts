import { randomBytes } from 'node:crypto'
import { styleText } from 'node:util'
import { largest } from '../../util/extremes.ts'
import type { Mask } from '../../util/urls/secrets.ts'

/**
 * All output of commands: answers to standard output, everything else to standard error. Printed text may be untrusted,
 * so control characters are removed except colours of `style` and line ends. Secrets are masked.
 */
export type Print = {
  line(text?: string): void
  /** One JSON value, chain numbers as strings of digits. */
  json(value: unknown): void
  /** The same on one line, for lists. */
  jsonLine(value: unknown): void
  note(text: string): void
  /** Columns below a header, or `none` without rows. `more`: there are further rows. */
  table(head: readonly string[], rows: readonly (readonly string[])[], of?: { none?: string; more?: boolean }): void
  /** Coloured if standard output is a terminal with colours; only for this `Print`. */
  style(format: Parameters<typeof styleText>[0], text: string): string
  /** Standard error is a terminal that can draw a progress bar. */
  interactive: boolean
}

export function createPrint(out: NodeJS.WritableStream, err: NodeJS.WritableStream, mask: Mask): Print {
  // Placeholder for ESC until a line is written. Third parties cannot guess it, so an ESC in untrusted text differs
  // from ours.
  const mark = `<${randomBytes(8).toString('hex')}>`
  const style: Print['style'] = (format, text) =>
    styleText(format, printable(text), { stream: out }).replaceAll('\u001b', mark)
  const line: Print['line'] = (text = '') => {
    out.write(`${mask(printable(text)).replaceAll(mark, '\u001b')}\n`)
  }
  const json = (value: unknown, indent?: number) => {
    const text = JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? String(v) : v), indent)
    out.write(`${mask(escapeUnprintable(text))}\n`)
  }
  const note: Print['note'] = (text) => {
    err.write(`${mask(printable(text))}\n`)
  }
  return {
    line,
    json: (value) => json(value, 2),
    jsonLine: (value) => json(value),
    note,
    table(head, rows, { none, more = false } = {}) {
      if (rows.length === 0 && none !== undefined) return line(none)
      const clean = rows.map((row) => row.map((cell) => mask(printable(cell))))
      const widths = head.map((title, i) => largest([title.length, ...clean.map((row) => row[i]?.length ?? 0)]))
      const pad = (cells: readonly string[]) => cells.map((cell, i) => cell.padEnd(widths[i] ?? 0))
      line(style('bold', pad(head).join('  ').trimEnd()))
      for (const row of clean) line(pad(row).join('  ').trimEnd())
      if (more) note('there are more: raise --limit, or add a filter')
    },
    style,
    interactive: (err as NodeJS.WriteStream).isTTY === true,
  }
}

/**
 * A text as one line for a terminal, without control characters, including C1 and bidirectional ones. Line ends and
 * tabs become spaces.
 */
export function printable(text: string): string {
  return text.replace(/[\r\n\t\v\f\u2028\u2029]+/g, ' ').replace(/\p{C}/gu, '')
}

/** JSON in which such characters are escaped; JSON itself does not escape DEL and above. */
export function escapeUnprintable(json: string): string {
  // Outside of strings, only line ends occur; within strings they are already escaped.
  return json.replace(/[\u2028\u2029]|(?!\n)\p{C}/gu, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** A number with its noun, whose plural adds s: 1 wallet, 2 wallets. */
export function counted(count: number | bigint, one: string): string {
  return `${count} ${one}${count === 1 || count === 1n ? '' : 's'}`
}
