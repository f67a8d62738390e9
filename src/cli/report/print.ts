import { randomBytes } from 'node:crypto'
import { styleText } from 'node:util'
import { largest } from '../../util/extremes.ts'
import type { Mask } from '../../util/urls/secrets.ts'
import { escapeControls, printable } from './printable.ts'

/**
 * The only way in which commands write: answers to standard output, everything else to standard error. Whatever is printed
 * may be a stranger's text, so no control character gets out but the colours of `style` and the ends of lines, and nothing
 * that `mask` hides.
 */
export type Print = {
  line(text?: string): void
  /** One JSON document, chain numbers as strings of digits. */
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
  // Stands for ESC until a line is written: no stranger can know it, so a stranger's ESC stays apart from ours.
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
