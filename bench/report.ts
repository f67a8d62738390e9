import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Row, reached } from './figure.ts'

export type Section = { name: string; title: string; rows: Row[] }

const file = fileURLToPath(new URL('../docs/measurements.md', import.meta.url))

/** Renders a figure as a Markdown table. */
export function table({ title, rows }: Section): string {
  const cells = rows.map((row) => [row.what, `${number(row.value)} ${row.unit}`, goal(row)] as const)
  const lines = [['', 'measured', 'goal'] as const, ['---', '---:', '---'] as const, ...cells]
  return `### ${title}\n\n${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`
}

/** Replaces the measured figures between their markers in docs/measurements.md. Other figures stay unchanged. */
export function writeReport(sections: readonly Section[], machine: string): void {
  let text = existsSync(file) ? readFileSync(file, 'utf8') : '# Measurements\n'
  for (const section of sections) {
    const [begin, end] = [`<!-- ${section.name} -->`, `<!-- end of ${section.name} -->`]
    const block = `${begin}\n${table(section)}\n${machine}, ${new Date().toISOString().slice(0, 10)}.\n${end}`
    const from = text.indexOf(begin)
    const to = text.indexOf(end)
    text =
      from < 0 || to < 0 ? `${text.trimEnd()}\n\n${block}\n` : text.slice(0, from) + block + text.slice(to + end.length)
  }
  writeFileSync(file, text)
}

function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1)
}

function goal(row: Row): string {
  if (!row.goal) return ''
  const bound = 'atLeast' in row.goal ? `≥ ${number(row.goal.atLeast)}` : `≤ ${number(row.goal.atMost)}`
  return `${bound} ${row.unit}${reached(row) ? '' : ' **missed**'}`
}
