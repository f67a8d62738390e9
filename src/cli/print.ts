import { styleText } from 'node:util'

/** The only way in which commands write: answers to standard output, everything else to standard error. */
export type Print = {
  line(text?: string): void
  /** One JSON document, chain numbers as strings of digits. */
  json(value: unknown): void
  note(text: string): void
  /** Columns under a head. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void
  /** Coloured where standard output is a terminal that takes colours. */
  style(format: Parameters<typeof styleText>[0], text: string): string
  /** Standard error is a terminal: a progress bar can be drawn. */
  interactive: boolean
}

export function createPrint(out: NodeJS.WriteStream, err: NodeJS.WriteStream): Print {
  const style: Print['style'] = (format, text) => styleText(format, text, { stream: out })
  const line: Print['line'] = (text = '') => {
    out.write(`${text}\n`)
  }
  return {
    line,
    json: (value) => line(JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? String(v) : v), 2)),
    note: (text) => {
      err.write(`${text}\n`)
    },
    table(head, rows) {
      const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
      const pad = (cells: readonly string[]) => cells.map((cell, i) => cell.padEnd(widths[i] ?? 0))
      line(style('bold', pad(head).join('  ').trimEnd()))
      for (const row of rows) line(pad(row).join('  ').trimEnd())
    },
    style,
    interactive: err.isTTY === true,
  }
}
