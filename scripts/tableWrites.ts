import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A table that a file writes; null: one that a template of a statement takes from elsewhere. */
export type TableWrite = { file: string; folder: string; table: string | null }

/** COPY writes only FROM something; the other words always do. */
const statement =
  /\b(?:INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|TRUNCATE(?: TABLE)?|COPY(?=[^`;]{0,600}?\bFROM\b))\s+(?:ONLY\s+)?"?(\w+|\$\{)/g

/**
 * The tables that the statements of a program text write, of those given; null where a template puts the table in. A statement whose
 * first words stand apart from its table is not seen.
 */
export function tablesWritten(text: string, tables: readonly string[]): Set<string | null> {
  const written = new Set<string | null>()
  for (const [, target] of text.matchAll(statement)) {
    if (target === '${') written.add(null)
    else if (tables.includes(target!)) written.add(target!)
  }
  return written
}

/** What the files of `src/` write, tests left out. */
export function readTableWrites(tables: readonly string[]): TableWrite[] {
  const root = join(import.meta.dirname, '../src')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  return files.sort().flatMap((file) => {
    const written = tablesWritten(readFileSync(join(root, file), 'utf8'), tables)
    return [...written].map((table) => ({ file, folder: dirname(file), table }))
  })
}
