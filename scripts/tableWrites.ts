import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A table that a file writes; null: a template puts the table's name into the statement. */
export type TableWrite = { file: string; folder: string; table: string | null }

/** Matches the beginning of a statement that writes a table. COPY writes only with FROM. */
const statement =
  /\b(?:INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|TRUNCATE(?: TABLE)?|COPY(?=[^`;]{0,600}?\bFROM\b))\s+(?:ONLY\s+)?"?(\w+|\$\{)/g

/** Matches a line of a comment. An example in it writes nothing. */
const commentLine = /^ *(?:\/?\*|\/\/).*$/gm

/**
 * Returns the given tables that statements in a text write; null if a template inserts the table's name. It does not find
 * statements whose first word and table are composed separately.
 */
export function tablesWritten(text: string, tables: readonly string[]): Set<string | null> {
  const written = new Set<string | null>()
  for (const [, target] of text.replaceAll(commentLine, '').matchAll(statement)) {
    if (target === '${') written.add(null)
    else if (tables.includes(target!)) written.add(target!)
  }
  return written
}

/** Returns the tables that the files of `src/` write, without tests. */
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
