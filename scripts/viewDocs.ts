import { promisedViews } from '../src/db/views/promisedViews.ts'

/** Returns the text of docs/views.md, from the views that other programs may rely on. */
export function viewDocs(): string {
  const sections = promisedViews.map(({ name, sentence, columns }) =>
    [
      `### ${name}`,
      `${sentence}`,
      [
        '| column | meaning |',
        '|---|---|',
        ...columns.map(([column, , meaning]) => `| \`${column}\` | ${meaning.replaceAll('|', '\\|')} |`),
      ].join('\n'),
    ].join('\n\n'),
  )
  return `${[head, ...sections].join('\n\n')}\n`
}

const head = `# SQL views for other programs

After this page you can read Mintmark's data by SQL, from Grafana, Metabase or any other program. \`npm run docs\` writes this page.

The schema \`mintmark\` has read-only views. A minor version of Mintmark may add views and columns; only a major version changes or removes one.
[Tables](tables.md) may change in any version. Addresses and hashes are text in lower-case hex with \`0x\`. Names, symbols, URIs and metadata are untrusted text.

## Create a reader

\`\`\`sh
mintmark db reader create grafana --timeout 20    # prints the password once
mintmark db reader list
mintmark db reader remove grafana
\`\`\`

A reader is a PostgreSQL role that can read these views and nothing else: no key, no secret, no address of a webhook. Its transactions are read-only. It may have 10 connections, and each statement ends after
\`--timeout\` seconds (30). A session of the role can change its own timeout, so give the password only to programs that you run.

- **Rights.** The database user of the command needs \`CREATEROLE\` and \`CREATE\` on the database.
- **Upgrades.** After an upgrade, create a reader: this creates the views of the new version for all readers.
- **Backups.** A backup contains neither roles nor views. Create the readers again after a restore.
- **Citus.** The command does not work on a Citus cluster, as workers check rights on tables and not on views.
- **Embedded PostgreSQL.** Use your own PostgreSQL for readers. The embedded one listens only on a socket below \`dataDir\`, and everybody who can reach that socket has all rights.

\`mintmark db query\` can query the same views without the schema's name, on every database:

\`\`\`sh
mintmark db query "SELECT name, tokens FROM collections ORDER BY tokens DESC LIMIT 10"
\`\`\`

A condition on \`contract\` uses indexes. A condition only on \`owner\` or \`wallet\` reads all rows: use the [API](wallets.md) for a wallet, as it is faster.

## Grafana

Add a PostgreSQL data source with the reader's name, its password and the database. This query is for a panel of mints per day of one contract:

\`\`\`sql
SELECT date_trunc('day', block_time) AS time, count(*) AS mints
FROM transfers
WHERE contract = '0x…' AND from_address = '0x0000000000000000000000000000000000000000' AND $__timeFilter(block_time)
GROUP BY 1 ORDER BY 1
\`\`\`

## Metabase

Add a database of the type PostgreSQL with the reader, and choose the schema \`mintmark\`. Turn off “Rerun queries for simple explorations”, as queries of large collections take seconds. This query is
for a question about the largest holders:

\`\`\`sql
SELECT owner, sum(amount) AS pieces FROM owners WHERE contract = {{contract}} GROUP BY 1 ORDER BY 2 DESC LIMIT 100
\`\`\`

## Views and columns`
