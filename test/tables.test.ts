import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { secondWriters } from '../lint/secondWriters.ts'
import { parseSchema, readSchema } from '../scripts/readSchema.ts'
import { tableDocs } from '../scripts/tableDocs.ts'
import { readTableWrites, type TableWrite, tablesWritten } from '../scripts/tableWrites.ts'

const tables = readSchema().flatMap((file) => file.tables)
const owners = new Map(tables.map(({ name, owner }) => [name, owner]))
const writes = readTableWrites([...owners.keys()])
const listed = secondWriters.flatMap(({ at, tables }) => tables.split(' ').map((table) => ({ at, table })))

const isListed = (entry: { at: string; table: string }, { file, folder, table }: TableWrite) =>
  (entry.at === file || entry.at === folder) && entry.table === (table ?? '*')

test('default: docs/tables.md matches the files of src/db/schema (npm run docs writes it)', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/tables.md'), 'utf8')
  expect(page).toBe(tableDocs(page))
})

test('default: a table is written only by its owner and by the modules of lint/secondWriters.ts', () => {
  const foreign = writes.filter((write) => write.table === null || owners.get(write.table) !== write.folder)
  expect(foreign.filter((write) => !listed.some((entry) => isListed(entry, write)))).toEqual([])
})

test('behavior: every written table is written by its owner, and every second writer writes its listed tables', () => {
  const found = new Set(writes.map(({ folder, table }) => `${folder} ${table}`))
  const unowned = writes.filter(({ table }) => table !== null && !found.has(`${owners.get(table)} ${table}`))
  expect(unowned).toEqual([])
  expect(listed.filter((entry) => !writes.some((write) => isListed(entry, write)))).toEqual([])
})

test('behavior: finds write statements in any form that is one literal', () => {
  const known = ['token', 'token_undo', 'media']
  const of = (text: string) => [...tablesWritten(text, known)]
  expect(of('WITH a AS (INSERT INTO token AS t (x) VALUES (1)) UPDATE\n  token_undo SET x = 1')).toEqual(
    known.slice(0, 2),
  )
  expect(of('DELETE FROM ONLY "media" USING token; TRUNCATE media')).toEqual(['media'])
  expect(of('MERGE INTO media USING token ON true')).toEqual(['media'])
  expect(of('COPY token (partition,\n  id) FROM STDIN')).toEqual(['token'])
  expect(of('COPY token (id) TO STDOUT; SELECT 1 FROM media FOR UPDATE OF token')).toEqual([])
  expect(of('INSERT INTO stage_token SELECT 1 FROM token ON CONFLICT DO UPDATE SET x = 1')).toEqual([])
  expect(of(`DELETE FROM \${t} WHERE true`)).toEqual([null])
  expect(of('/**\n * INSERT INTO token (x) VALUES (1)\n */\n  // UPDATE media SET x = 1')).toEqual([])
})

test('error: rejects a table, column or index without a description, and a table without an owner', () => {
  const table = (above: string, column: string) => `${above}\nCREATE TABLE a (\n${column}\n);\n`
  const reported = '-- A table.\n-- Owner: nft/store'
  const good = table(
    reported,
    '  -- A number.\n  n numeric(78, 0) NOT NULL,\n  -- A text.\n  t text,\n  PRIMARY KEY (n)',
  )
  expect(parseSchema(`${good}-- By text.\nCREATE INDEX a_t ON a (\n  t);`)).toEqual([
    {
      kind: 'table',
      name: 'a',
      sentence: 'A table.',
      owner: 'nft/store',
      columns: [
        { name: 'n', type: 'numeric(78, 0)', nullable: false, sentence: 'A number.' },
        { name: 't', type: 'text', nullable: true, sentence: 'A text.' },
      ],
      indexes: [{ definition: '(t)', sentence: 'By text.' }],
    },
  ])
  expect(() => parseSchema(table(reported, '  n integer'))).toThrow('a.n has no sentence above it')
  expect(() => parseSchema(table('-- A table.', '  -- A number.\n  n integer'))).toThrow('a names no owner')
  expect(() => parseSchema(table('-- Owner: db', '  -- A number.\n  n integer'))).toThrow('a has no sentence')
  expect(() => parseSchema(`${good}CREATE INDEX a_t ON a (t);`)).toThrow('has no sentence above it')
})
