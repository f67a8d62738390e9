import { secondWriters } from '../lint/secondWriters.ts'
import { readSchema, type SchemaTable } from './readSchema.ts'

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

/** Returns the text of docs/tables.md, from the files of `src/db/schema/`. */
export function tableDocs(): string {
  const sections = readSchema().flatMap(({ name, tables }) => {
    const title = titles[name]
    if (!title) throw new Error(`scripts/tableDocs.ts has no title for src/db/schema/${name}`)
    return [`## ${title}`, ...tables.map(section)]
  })
  return `${[head, ...sections].join('\n\n')}\n`
}

const head = `# Tables

After this page you can write queries for \`mintmark db query\`. The page lists every table and column. \`npm run docs\` generates it from the SQL files in
\`src/db/schema/\`. Tables and columns may change with any version, so only read them. Columns of [views](views.md) do not change. The table \`migration\` lists applied
migrations.

The owner of a table is the one folder of \`src/\` whose statements write it. Other writers:

${secondWriters.map(({ at, tables, why }) => `- \`${at}\` writes ${tables === '*' ? 'any table' : namesOf(tables)}: ${why}.`).join('\n')}`

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
