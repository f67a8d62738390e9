import { randomBytes } from 'node:crypto'
import { styleText } from 'node:util'
import { largest } from '../../util/extremes.ts'
import type { Mask } from '../../util/urls/secrets.ts'

/**
 * The only way in which commands write: answers to standard output, everything else to standard error. Whatever is printed
 * may be untrusted text, so no control character gets out but the colours of `style` and the ends of lines, and nothing
 * that `mask` hides.
 */
export type Print = {
  line(text?: string): void
  /** One JSON value, chain numbers as strings of digits. */
  json(value: unknown): void
  /** The same on one line, where many follow one another. */
  jsonLine(value: unknown): void
  note(text: string): void
  /** Columns under a head. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void
  /** Coloured where standard output is a terminal that takes colours; only for this print. */
  style(format: Parameters<typeof styleText>[0], text: string): string
  /** Standard error is a terminal: a progress bar can be drawn. */
  interactive: boolean
}

export function createPrint(out: NodeJS.WritableStream, err: NodeJS.WritableStream, mask: Mask): Print {
  // Placeholder for ESC until a line is written: no third party can know it, so an ESC of untrusted text differs from ours.
  const mark = `<${randomBytes(8).toString('hex')}>`
  const style: Print['style'] = (format, text) =>
    styleText(format, printable(text), { stream: out }).replaceAll('\u001b', mark)
  const line: Print['line'] = (text = '') => {
    out.write(`${mask(printable(text)).replaceAll(mark, '\u001b')}\n`)
  }
  const json = (value: unknown, indent?: number) => {
    const text = JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? String(v) : v), indent)
    out.write(`${mask(escapeControls(text))}\n`)
  }
  return {
    line,
    json: (value) => json(value, 2),
    jsonLine: (value) => json(value),
    note: (text) => {
      err.write(`${mask(printable(text))}\n`)
    },
    table(head, rows) {
      const clean = rows.map((row) => row.map((cell) => mask(printable(cell))))
      const widths = head.map((title, i) => largest([title.length, ...clean.map((row) => row[i]?.length ?? 0)]))
      const pad = (cells: readonly string[]) => cells.map((cell, i) => cell.padEnd(widths[i] ?? 0))
      line(style('bold', pad(head).join('  ').trimEnd()))
      for (const row of clean) line(pad(row).join('  ').trimEnd())
    },
    style,
    interactive: (err as NodeJS.WriteStream).isTTY === true,
  }
}

/**
 * A text for a terminal: on one line, without control characters, also those of eight bits and those that reverse the
 * order of letters. Ends of lines and tabs become spaces.
 */
export function printable(text: string): string {
  return text.replace(/[\r\n\t\v\f\u2028\u2029]+/g, ' ').replace(/\p{C}/gu, '')
}

/** JSON text in which such characters are escaped; JSON itself leaves everything from DEL on as it is. */
export function escapeControls(json: string): string {
  // Outside of strings the only one is the end of a line, which inside is an escape already.
  return json.replace(/[\u2028\u2029]|(?!\n)\p{C}/gu, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}
