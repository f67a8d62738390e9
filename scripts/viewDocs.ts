import { promisedViews } from '../src/db/views/promisedViews.ts'

/** Returns the text of docs/views.md, from the views that other programs may rely on. */
export function viewDocs(): string {
  const sections = promisedViews.map(({ name, sentence, columns }) =>
    [
      `### ${name}`,
      `${sentence}`,
      [
        '| column | |',
        '|---|---|',
        ...columns.map(([column, , meaning]) => `| \`${column}\` | ${meaning.replaceAll('|', '\\|')} |`),
      ].join('\n'),
    ].join('\n\n'),
  )
  return `${[head, ...sections].join('\n\n')}\n`
}

const head = `# Views for other programs

After this page you can read Mintmark's data by SQL, from Grafana, Metabase or any other program. \`npm run docs\` writes this page.

The schema \`mintmark\` has read-only views. Their columns follow the version of Mintmark: a minor version may add views and columns, and only a major version changes or removes one.
[Tables](tables.md) have no such promise. Addresses and hashes are text in lower-case hex with \`0x\`. Names, symbols, URIs and metadata are untrusted text.

## Create a reader

\`\`\`sh
mintmark db reader create grafana --timeout 20    # prints the password once
mintmark db reader list
mintmark db reader remove grafana
\`\`\`

The role reads these views and nothing else: no key, no secret, no address of a webhook. Its transactions are read-only, it has at most 10 connections, and each statement ends after
\`--timeout\` seconds (30). A session of the role can change its own timeout, so give the password only to programs that you run.

- The database user of the command needs \`CREATEROLE\` and \`CREATE\` on the database.
- The views of a new version appear when the next reader is created, for all readers.
- A backup contains neither roles nor views: create readers again after a restore.
- On a Citus cluster the command is refused, as workers check rights on tables and not on views.
- The embedded PostgreSQL listens only on a socket below \`dataDir\`, and whoever reaches that socket has all rights. Use your own PostgreSQL for readers.

\`mintmark db query\` knows the same views by their names without the schema, on every database:

\`\`\`sh
mintmark db query "SELECT name, tokens FROM collections ORDER BY tokens DESC LIMIT 10"
\`\`\`

A condition on \`contract\` uses indexes. A condition on \`owner\` or \`wallet\` alone reads all rows: the [API](wallets.md) is faster for a wallet.

## Grafana

Add a PostgreSQL data source with the reader's name, its password and the database. A panel of mints per day of one contract:

\`\`\`sql
SELECT date_trunc('day', block_time) AS time, count(*) AS mints
FROM transfers
WHERE contract = '0x…' AND from_address = '0x0000000000000000000000000000000000000000' AND $__timeFilter(block_time)
GROUP BY 1 ORDER BY 1
\`\`\`

## Metabase

Add a database of the type PostgreSQL with the reader, and choose the schema \`mintmark\`. Turn off “Rerun queries for simple explorations”, as large collections take seconds. A question of
the largest holders:

\`\`\`sql
SELECT owner, sum(amount) AS pieces FROM owners WHERE contract = {{contract}} GROUP BY 1 ORDER BY 2 DESC LIMIT 100
\`\`\`

## Views and columns`
