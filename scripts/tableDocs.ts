import { secondWriters } from '../lint/secondWriters.ts'
import { readSchema, type SchemaTable } from './readSchema.ts'
import { withParts } from './writtenParts.ts'

const titles: Record<string, string> = {
  'coin.sql': 'Coins',
  'discovery.sql': 'Discovered contracts',
  'ledger.sql': 'Webhooks',
  'media.sql': 'Preview images',
  'metadata.sql': 'Metadata',
  'nft.sql': 'Collections',
  'service.sql': 'The installation',
  'stage.sql': 'Staging tables',
  'stream.sql': 'Streams',
  'sync.sql': 'Chains and processes',
  'holder.sql': 'Holders',
  'wallet.sql': 'Wallets',
  'walletHistory.sql': 'Wallets over a whole chain',
}

/** Returns docs/tables.md with the tables of the files of `src/db/schema/`, and the other writers of a table. */
export function tableDocs(page: string): string {
  const sections = readSchema().flatMap(({ name, tables }) => {
    const title = titles[name]
    if (!title) throw new Error(`scripts/tableDocs.ts has no title for src/db/schema/${name}`)
    return [`## ${title}`, ...tables.map(section)]
  })
  const writers = secondWriters.map(
    ({ at, tables, why }) => `- \`${at}\` writes ${tables === '*' ? 'any table' : namesOf(tables)}: ${why}.`,
  )
  return withParts(page, [writers.join('\n'), sections.join('\n\n')])
}

function namesOf(tables: string): string {
  return tables
    .split(' ')
    .map((name) => `\`${name}\``)
    .join(' and ')
}

function section({ kind, name, sentence, owner, columns, indexes }: SchemaTable): string {
  const parts = [
    `### ${name}`,
    kind === 'view' ? `A view: ${lowerFirst(sentence)}` : `${sentence} Owner: \`${owner}\`.`,
  ]
  const rows = columns.map(
    (column) =>
      `| \`${column.name}\` | ${column.type}${column.nullable ? ', or null' : ''} | ${cell(column.sentence)} |`,
  )
  if (rows.length > 0) parts.push(['| column | type | |', '|---|---|---|', ...rows].join('\n'))
  if (indexes.length > 0)
    parts.push(['Indexes:', '', ...indexes.map((index) => `- \`${index.definition}\`: ${index.sentence}`)].join('\n'))
  return parts.join('\n\n')
}

const lowerFirst = (text: string) => text[0]!.toLowerCase() + text.slice(1)
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
