import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTokenText, tokenColumns } from './tokenText.ts'

const record = (fields: Record<string, unknown> = {}, metadata: Record<string, unknown> | null = null) => ({
  ...{ token_address: `0x${'ab'.repeat(20)}`, token_id: '7', amount: '1', possible_spam: false, owner_of: null },
  ...fields,
  normalized_metadata: metadata,
})

function csvOf(records: object[]): Record<string, string>[] {
  const text = createTokenText('csv')
  const file = `${text.head}${text.write(JSON.stringify(records))}`
  expect(text.finish()).toEqual({ rows: records.length, root: null })
  return parse(file, { columns: true })
}

test('default: a record is one line with columns for its fields and its normalized metadata', () => {
  const attributes = [{ trait_type: 'Hat', value: 'Red, "old"' }]
  const [row] = csvOf([record({ name: 'A "quoted", name\nof two lines' }, { description: 'x', attributes })])
  expect(Object.keys(row!)).toEqual(tokenColumns)
  expect(row).toMatchObject({
    ...{ token_id: '7', owner_of: '', possible_spam: 'false', name: 'A "quoted", name\nof two lines' },
    ...{ metadata_description: 'x', metadata_attributes: JSON.stringify(attributes), metadata_image: '' },
  })
})

test('error: no CSV cell starts like a formula, regardless of names and metadata', () => {
  const formulas = ['=HYPERLINK("http://x","y")', '+1', '-1+2', '@SUM(A1)', '\t=1', '\r=1', '=1,"', '"=1']
  const rows = csvOf(formulas.map((text) => record({ name: text, token_uri: text }, { name: text, image: text })))
  for (const [i, text] of formulas.entries()) {
    const shown = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
    expect(rows[i]).toMatchObject({ name: shown, token_uri: shown, metadata_name: shown, metadata_image: shown })
  }
})

test('behavior: any text is preserved in both formats, except for the apostrophe before formulas', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }), (names) => {
      const records = names.map((name) => record({ name }))
      expect(csvOf(records).map(({ name }) => name)).toEqual(
        names.map((name) => (/^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(name) ? `'${name}` : name)),
      )
      const text = createTokenText('ndjson')
      const lines = String(text.write(JSON.stringify(records))).split('\n')
      expect(lines.slice(0, -1).map((line) => JSON.parse(line))).toEqual(records)
    }),
  )
})
