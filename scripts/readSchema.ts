import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type SchemaColumn = { name: string; type: string; nullable: boolean; sentence: string }

/** A table or a view. Columns of a view have no descriptions. */
export type SchemaTable = {
  kind: 'table' | 'view'
  name: string
  sentence: string
  /** The folder of `src/` whose statements write it; null for a view. */
  owner: string | null
  columns: SchemaColumn[]
  indexes: { definition: string; sentence: string }[]
}

/** The tables of a file of `src/db/schema/`. */
export type SchemaFile = { name: string; tables: SchemaTable[] }

/** Reads the schema from its files. Throws if a table, column or index has no description, or a table has no owner. */
export function readSchema(): SchemaFile[] {
  const folder = join(import.meta.dirname, '../src/db/schema')
  const files = readdirSync(folder).sort()
  return files.map((name) => ({ name, tables: parseSchema(readFileSync(join(folder, name), 'utf8')) }))
}

/**
 * Parses the tables of SQL in the form of those files. A comment is above the thing that it describes. The last line of a table's comment
 * is `Owner: folder`. Each column is one line.
 */
export function parseSchema(sql: string): SchemaTable[] {
  const tables: SchemaTable[] = []
  let comment: string[] = []
  let open: SchemaTable | undefined
  const reported = (what: string) => {
    const sentence = comment.join(' ')
    if (!/[.)…]$/.test(sentence)) throw new Error(`${what} has no sentence above it`)
    return sentence
  }
  for (const line of joinIndexes(sql.split('\n'))) {
    const remark = /^\s*-- (.*)$/.exec(line)
    if (remark) {
      comment.push(remark[1]!)
      continue
    }
    const table = /^CREATE (?:UNLOGGED )?TABLE (\w+)/.exec(line)
    const view = /^CREATE VIEW (\w+)/.exec(line)
    const index = /^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+) (.*);$/.exec(line)
    if (table) {
      const owner = /^Owner: (\S+)$/.exec(comment.pop() ?? '')?.[1]
      if (!owner) throw new Error(`the last line above ${table[1]} names no owner`)
      open = { kind: 'table', name: table[1]!, owner, sentence: reported(table[1]!), columns: [], indexes: [] }
      tables.push(open)
    } else if (view)
      tables.push({
        kind: 'view',
        name: view[1]!,
        owner: null,
        sentence: reported(view[1]!),
        columns: [],
        indexes: [],
      })
    else if (index) {
      const own = tables.find(({ name }) => name === index[1])
      if (!own) throw new Error(`an index of ${index[1]} stands above it`)
      own.indexes.push({ definition: index[2]!, sentence: reported(`the index ${line}`) })
    } else if (line.startsWith(')')) open = undefined
    else if (open && /^ {2}[a-z]/.test(line)) {
      const column = columnOf(line)
      open.columns.push({ ...column, sentence: reported(`${open.name}.${column.name}`) })
    }
    comment = []
  }
  return tables
}

/** Joins the lines of each index into one. */
function joinIndexes(lines: readonly string[]): string[] {
  const joined: string[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    if (last !== undefined && /^CREATE (UNIQUE )?INDEX/.test(last) && !last.endsWith(';'))
      joined[joined.length - 1] = `${last}${last.endsWith('(') ? '' : ' '}${line.trim()}`
    else joined.push(line)
  }
  return joined
}

const afterType = / (?:NOT NULL|PRIMARY KEY|UNIQUE|DEFAULT|CHECK|GENERATED|REFERENCES)\b.*$|,$/

function columnOf(line: string): Omit<SchemaColumn, 'sentence'> {
  const [, name, rest] = /^ {2}(\w+) (.*)$/.exec(line)!
  return { name: name!, type: rest!.replace(afterType, ''), nullable: !/NOT NULL|PRIMARY KEY|GENERATED/.test(rest!) }
}
