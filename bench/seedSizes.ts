import type { Database, Transaction } from '../src/db/database.ts'
import { partitionCount } from '../src/sync/partition.ts'
import type { BenchStream } from './webhookRows.ts'

/** Size of a million rows of each kind, including indexes. */
export type BytesPerMillion = { tokens: number; webhooks: number }

const record =
  '"token_uri":"ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq/1","metadata":null,"last_token_uri_sync":"2026-01-31T12:00:00.000Z","last_metadata_sync":"2026-01-31T12:00:01.000Z"'

/** The webhook's text, as short as for a single transfer. */
const body = `'{"confirmed":true,"chainId":"0x1","abi":[],"streamId":"","tag":"","retries":0,"block":{"number":"' || n || '"},"logs":[{"address":"0x${'cd'.repeat(20)}","topic0":"0x' || md5(n::text) || md5('a' || n) || '","topic1":"0x' || md5('b' || n) || md5('c' || n) || '"}]}'`

/** Rows of one statement. The limit keeps its list of numbers small. */
const slice = 1_000_000

/**
 * Adds tokens with metadata to a live collection, and delivered webhooks with one attempt each to a stream of every partition. The rows are
 * as indexing and delivery would leave them. The server makes both kinds of rows in parallel and builds the indexes afterwards. Each table
 * is emptied in the transaction that fills it, so PostgreSQL does not write its rows to the WAL
 * (https://www.postgresql.org/docs/18/populate.html#POPULATE-PITR).
 */
export async function seedSizes(
  db: Database,
  options: { collectionId: bigint; tokens: number; streams: readonly BenchStream[]; webhooks: number },
): Promise<BytesPerMillion> {
  const { collectionId, tokens, streams, webhooks } = options
  const before = await sizes(db)
  await Promise.all([seedTokens(db, { collectionId, tokens }), seedWebhooks(db, { streams, webhooks })])
  for (const table of ['collection', 'token', 'token_metadata', 'webhook', 'webhook_text', 'webhook_attempt'])
    await db.run(`VACUUM ANALYZE ${table}`)
  await db.run('CHECKPOINT')
  const after = await sizes(db)
  return {
    tokens: ((after.tokens - before.tokens) / tokens) * 1e6,
    webhooks: ((after.webhooks - before.webhooks) / webhooks) * 1e6,
  }
}

async function seedTokens(db: Database, { collectionId, tokens }: { collectionId: bigint; tokens: number }) {
  const from = (numbers: string) => `FROM collection c, ${numbers} WHERE c.id = ${collectionId}`
  await db.transaction(async (tx) => {
    await refill(tx, ['token', 'token_metadata'], async () => {
      for (const numbers of slices(tokens))
        await tx.script(
          `INSERT INTO token (partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, amount, holders)
           SELECT c.partition, c.id, md5('seeded' || n)::uuid, 1000000 + n, substring(sha256(n::text::bytea) FOR 20), substring(sha256(n::text::bytea) FOR 20), 1048576, 1048576, 1, 1
           ${from(numbers)};
           INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, tried_at, record)
           SELECT c.partition, c.id, md5('seeded' || n)::uuid, 'ok', 0, now(), '${record}' ${from(numbers)}`,
        )
    })
    await tx.run('UPDATE collection SET tokens = tokens + $2, transfers = transfers + $2 WHERE id = $1', [
      collectionId,
      tokens,
    ])
  })
}

async function seedWebhooks(
  db: Database,
  { streams, webhooks }: { streams: readonly BenchStream[]; webhooks: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.script('CREATE TEMPORARY TABLE seeded (n int PRIMARY KEY, partition smallint, id uuid) ON COMMIT DROP')
    await tx.run(
      'INSERT INTO seeded SELECT o - 1, p, i FROM unnest($1::smallint[], $2::uuid[]) WITH ORDINALITY AS v (p, i, o)',
      [streams.map(({ partition }) => partition), streams.map(({ id }) => id)],
    )
    await refill(tx, ['webhook', 'webhook_text', 'webhook_attempt'], async () => {
      for (const numbers of slices(webhooks)) {
        const from = `FROM ${numbers} JOIN seeded s ON s.n = v.n % ${streams.length}`
        await tx.script(
          `INSERT INTO webhook (partition, position, stream_id, chain_id, block_number, block_hash, kind, id, flips, live, logs, txs, txs_internal, status, created_at)
           SELECT partition, v.n + 1, s.id, 1, v.n, sha256(v.n::text::bytea), 'confirmed', md5(v.n::text)::uuid, 0, false, 1, 0, 0, 'delivered', now() ${from};
           INSERT INTO webhook_text (partition, position, body) SELECT partition, n + 1, ${body} FROM (SELECT partition, v.n ${from}) t;
           INSERT INTO webhook_attempt (partition, position, replay, number, stream_id, url_hash, at, ms, delivered, code)
           SELECT partition, v.n + 1, 0, 1, s.id, '\\x00', now(), 1, true, 200 ${from}`,
        )
      }
    })
    await tx.script(
      `SELECT setval('webhook_position', ${webhooks});
       INSERT INTO webhook_matched (partition, stream_id, chain_id, matched, logs, updated_at)
       SELECT partition, stream_id, 1, count(*), count(*), now() FROM webhook GROUP BY 1, 2;
       INSERT INTO webhook_delivered (partition, stream_id, delivered, attempts, created_at, updated_at)
       SELECT partition, stream_id, count(*), count(*), now(), now() FROM webhook GROUP BY 1, 2`,
    )
  })
}

/** Empties tables, inserts their former rows and the rows of `fill`, and builds their indexes. */
async function refill(tx: Transaction, tables: readonly string[], fill: () => Promise<void>): Promise<void> {
  const keys: string[] = []
  for (const table of tables) {
    const constraints = await tx.rows<[string, string]>(
      `SELECT conname::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'p'`,
      [table],
    )
    const indexes = await tx.rows<[string, string]>(
      `SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = $1::regclass AND NOT indisprimary`,
      [table],
    )
    await tx.script(
      `CREATE TEMPORARY TABLE kept_${table} ON COMMIT DROP AS SELECT * FROM ${table};
       ${indexes.map(([name]) => `DROP INDEX ${name};`).join('\n')}
       ${constraints.map(([name]) => `ALTER TABLE ${table} DROP CONSTRAINT ${name};`).join('\n')}
       TRUNCATE ${table}; INSERT INTO ${table} SELECT * FROM kept_${table}`,
    )
    keys.push(
      ...constraints.map(([name, definition]) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`),
      ...indexes.map(([, definition]) => definition),
    )
  }
  await fill()
  await tx.script(`SET LOCAL maintenance_work_mem = '512MB'; ${keys.join(';')}`)
}

/** Returns the numbers below `count` as items of a FROM list. */
function slices(count: number): string[] {
  return Array.from({ length: Math.ceil(count / slice) }, (_, i) => {
    const last = Math.min(count, (i + 1) * slice) - 1
    return `generate_series(${i * slice}, ${last}) v (n)`
  })
}

async function sizes(db: Database): Promise<BytesPerMillion> {
  const [row] = await db.rows<[bigint, bigint]>(
    `SELECT pg_total_relation_size('token') + pg_total_relation_size('token_metadata'),
       pg_total_relation_size('webhook') + pg_total_relation_size('webhook_text') + pg_total_relation_size('webhook_attempt')`,
  )
  return { tokens: Number(row![0]), webhooks: Number(row![1]) }
}

/** Number of streams that share the seeded webhooks. */
export const seededStreams = partitionCount
